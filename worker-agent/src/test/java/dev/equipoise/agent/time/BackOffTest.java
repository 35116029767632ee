package dev.equipoise.agent.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackOffTest {

    private final BackOff backOff = new BackOff(Duration.ofMillis(100), Duration.ofSeconds(1));

    @Test
    void doublesUpToTheLimit() {
        assertThat(backOff.after(1)).isEqualTo(Duration.ofMillis(100));
        assertThat(backOff.after(2)).isEqualTo(Duration.ofMillis(200));
        assertThat(backOff.after(4)).isEqualTo(Duration.ofMillis(800));
        assertThat(backOff.after(5)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void staysAtTheLimitHoweverOftenItFails() {
        assertThat(backOff.after(1_000_000)).isEqualTo(Duration.ofSeconds(1));
    }
}
