package dev.equipoise.app.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreemptionRefusalTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void delayDoublesUntilTheRefusalIsPermanent() {
        List<Duration> delays = new ArrayList<>();
        PreemptionRefusal refusal = PreemptionRefusal.after(null, "the disk is full", NOW);
        while (refusal.until() != null) {
            delays.add(Duration.between(NOW, Objects.requireNonNull(refusal.until())));
            refusal = PreemptionRefusal.after(refusal, "the disk is full", NOW);
        }

        assertThat(delays)
                .extracting(Duration::toMinutes)
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L);
        assertThat(refusal.times()).isEqualTo(7);
        assertThat(refusal.standsAt(NOW.plus(Duration.ofDays(1000)))).isTrue();
    }

    @Test
    void refusalExpires() {
        PreemptionRefusal refusal = PreemptionRefusal.after(null, "the disk is full", NOW);

        assertThat(refusal.standsAt(NOW.plusSeconds(59))).isTrue();
        assertThat(refusal.standsAt(NOW.plusSeconds(60))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void clockJumpEndsTheRefusal(int hours) {
        PreemptionRefusal refusal = PreemptionRefusal.after(null, "the disk is full", NOW);

        assertThat(refusal.standsAt(NOW.plus(Duration.ofHours(hours)))).isFalse();
    }

    @Test
    void recurringCauseIsPermanentAtOnce() {
        assertThat(PreemptionRefusal.permanent(null, "too large", NOW))
                .isEqualTo(new PreemptionRefusal("too large", 1, NOW, null));
    }
}
