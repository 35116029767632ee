package dev.equipoise.agent.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExponentialBackoffTest {

    private final ExponentialBackoff backoff =
            new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(1));

    @Test
    void doublesUpToTheLimit() {
        assertThat(backoff.after(1)).isEqualTo(Duration.ofMillis(100));
        assertThat(backoff.after(2)).isEqualTo(Duration.ofMillis(200));
        assertThat(backoff.after(4)).isEqualTo(Duration.ofMillis(800));
        assertThat(backoff.after(5)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void staysAtTheLimitHoweverOftenItFails() {
        assertThat(backoff.after(1_000_000)).isEqualTo(Duration.ofSeconds(1));
    }
}
