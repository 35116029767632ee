package dev.equipoise.app.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrackedRunTest {

    private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    @Test
    void timestampIsTheStartPlusTheTrainingTime() {
        assertThat(TrackedRun.timestamp(START, 0)).isEqualTo(START);
        assertThat(TrackedRun.timestamp(START, 1.75)).isEqualTo(START + 1750);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e12, 1e30, 1.7e308, Double.POSITIVE_INFINITY})
    void timestampIsAtMostTheEndOfTheYear9999(double seconds) {
        assertThat(TrackedRun.timestamp(START, seconds))
                .isEqualTo(Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli())
                .isEqualTo(TrackedRun.LATEST);
    }
}
