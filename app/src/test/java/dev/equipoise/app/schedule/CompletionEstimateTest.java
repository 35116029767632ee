package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.run.Progress;
import dev.equipoise.app.run.RunQueue.UnderWay;
import dev.equipoise.protocol.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompletionEstimateTest {

    private static final Instant PLACED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant STARTED = PLACED.plusSeconds(10);

    /** A run of ten epochs. */
    private static UnderWay run(
            @Nullable Instant startedAt,
            @Nullable Double epochSeconds,
            @Nullable Duration length,
            double fraction) {
        return new UnderWay(
                RunId.of(new UUID(0, 1)),
                new UUID(0, 2),
                0,
                false,
                false,
                null,
                PLACED,
                startedAt,
                0,
                epochSeconds,
                length,
                new Progress(1, 10, 1, 100, fraction));
    }

    private static Instant end(UnderWay run, long secondsAfterPlacement) {
        return CompletionEstimate.endOf(run, PLACED, PLACED.plusSeconds(secondsAfterPlacement));
    }

    @Test
    void trainingRunEndsAfterItsEpochTimes() {
        assertThat(end(run(STARTED, 6.0, Duration.ofDays(1), 0.1), 20))
                .isEqualTo(STARTED.plusSeconds(60));
    }

    @Test
    void placedRunEndsByItsRuntimeEstimate() {
        assertThat(end(run(null, null, Duration.ofSeconds(80), 0), 20))
                .isEqualTo(PLACED.plusSeconds(80));
        assertThat(end(run(STARTED, null, Duration.ofSeconds(80), 0), 20))
                .isEqualTo(PLACED.plusSeconds(80));
    }

    @Test
    void endWithoutEstimateIsUnknown() {
        assertThat(end(run(null, null, null, 0), 20)).isEqualTo(Instant.MAX);
    }

    /** At 50 % progress, 30 of its 60 s remain, although the time is over. */
    @Test
    void lateRunEndsByItsProgress() {
        assertThat(end(run(STARTED, 6.0, null, 0.5), 110)).isEqualTo(PLACED.plusSeconds(140));
    }

    @Test
    void overdueRunTakesATenthLonger() {
        assertThat(end(run(STARTED, 6.0, null, 1), 110)).isEqualTo(PLACED.plusSeconds(120));
        assertThat(end(run(null, null, Duration.ofSeconds(80), 0), 100))
                .isEqualTo(PLACED.plusSeconds(110));
    }
}
