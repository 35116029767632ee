package dev.equipoise.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.telemetry.EpochTimes.Report;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EpochTimesTest {

    private static final Instant START = Instant.parse("2026-11-28T10:00:00Z");

    /** Creates reports, each given by its epoch and its seconds after the start. */
    private static EpochTimes times(int... epochsAndSeconds) {
        return EpochTimes.of(
                IntStream.range(0, epochsAndSeconds.length / 2)
                        .mapToObj(it ->
                                new Report(
                                        epochsAndSeconds[2 * it],
                                        START.plusSeconds(epochsAndSeconds[2 * it + 1])))
                        .toList());
    }

    @Test
    void epochEndsSomeSecondsAfterTheStart() {
        assertThat(times(1, 4, 2, 10).ofFirst(2, START)).containsExactly(4.0, 10.0);
        assertThat(times(1, 4, 2, 10).ofFirst(1, START)).containsExactly(4.0);
    }

    @Test
    void epochThatWasTrainedAgainEndsWithItsLastReport() {
        EpochTimes restarted = times(1, 4, 2, 10, 3, 15, 2, 40);

        assertThat(restarted.ofFirst(2, START)).containsExactly(4.0, 40.0);
    }

    @Test
    void clockThatIsSetBackStopsThePositions() {
        assertThat(times(1, 4, 2, 1, 3, 5).ofFirst(3, START)).containsExactly(4.0, 4.0, 5.0);
        assertThat(times(1, 4).seconds(START.plusSeconds(9), 1)).isZero();
    }

    @Test
    void unknownTimesAreLeftOut() {
        assertThat(times(2, 10).ofFirst(2, START)).isEqualTo(List.of());
        assertThat(times(1, 4).seconds(START, 2)).isNull();
        assertThat(times(1, 4).seconds(null, 1)).isNull();
    }
}
