package dev.equipoise.app.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlineTest {

    private static final Instant SET = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LENGTH = Duration.ofSeconds(60);

    private static boolean isAheadAfter(Duration passed) {
        return Deadline.isAhead(SET.plus(LENGTH), LENGTH, SET.plus(passed));
    }

    @ParameterizedTest
    @CsvSource({"PT0S, true", "PT59.999S, true", "PT60S, false", "PT-5S, true"})
    void deadlineHoldsForItsLength(Duration passed, boolean isAhead) {
        assertThat(isAheadAfter(passed)).isEqualTo(isAhead);
    }

    @ParameterizedTest
    @CsvSource({"PT1H", "PT-1H", "PT-6S"})
    void clockJumpEndsIt(Duration jump) {
        assertThat(isAheadAfter(jump)).isFalse();
    }

    @Test
    void endBeforeAllInstantsIsOver() {
        assertThat(Deadline.isAhead(Instant.MIN, LENGTH, SET)).isFalse();
    }
}
