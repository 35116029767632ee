package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RefusalTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void eachTimeItStandsForTwiceAsLongAndAtLastForGood() {
        List<Duration> standing = new ArrayList<>();
        Refusal refusal = Refusal.after(null, "the disk is full", NOW);
        while (refusal.until() != null) {
            standing.add(Duration.between(NOW, Objects.requireNonNull(refusal.until())));
            refusal = Refusal.after(refusal, "the disk is full", NOW);
        }

        assertThat(standing)
                .extracting(Duration::toMinutes)
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L);
        assertThat(refusal.times()).isEqualTo(7);
        assertThat(refusal.standsAt(NOW.plus(Duration.ofDays(1000)))).isTrue();
    }

    @Test
    void itStandsUntilItsTime() {
        Refusal refusal = Refusal.after(null, "the disk is full", NOW);

        assertThat(refusal.standsAt(NOW.plusSeconds(59))).isTrue();
        assertThat(refusal.standsAt(NOW.plusSeconds(60))).isFalse();
    }

    @Test
    void whatWillBeTheSameNextTimeStandsForGoodAtOnce() {
        assertThat(Refusal.forGood(null, "too large", NOW))
                .isEqualTo(new Refusal("too large", 1, NOW, null));
    }
}
