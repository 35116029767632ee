package dev.equipoise.app.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.equipoise.app.observability.RunInterval.Kind;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunTimeline.TimedEvent;
import dev.equipoise.app.run.RunTimeline.Timeline;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunIntervalTest {

    private static final Instant QUEUED = Instant.parse("2026-01-01T00:00:00Z");

    /** Returns the intervals of a run with one event each second. */
    private static List<RunInterval> of(RunEvent... events) {
        return RunInterval.of(
                new Timeline(
                        RunId.of(UUID.randomUUID()),
                        "some",
                        QUEUED,
                        null,
                        IntStream.range(0, events.length)
                                .mapToObj(i -> new TimedEvent(at(i), events[i]))
                                .toList()));
    }

    private static Instant at(int second) {
        return QUEUED.plusSeconds(second);
    }

    private static RunEvent state(RunState state) {
        return new RunEvent.State(state);
    }

    private static RunEvent placed(int generation) {
        return new RunEvent.Placed(generation, List.of());
    }

    @Test
    void runWaitsIsPlacedAndTrains() {
        assertThat(
                        of(
                                state(RunState.QUEUED),
                                state(RunState.PLACED),
                                placed(1),
                                state(RunState.PREPARING),
                                state(RunState.RUNNING),
                                state(RunState.COMPLETED)))
                .containsExactly(
                        new RunInterval(Kind.QUEUED, 0, QUEUED, at(1)),
                        new RunInterval(Kind.PLACEMENT, 1, at(1), at(4)),
                        new RunInterval(Kind.TRAINING, 1, at(4), at(5)));
    }

    @Test
    void reconfiguredRunIsPlacedAgain() {
        assertThat(
                        of(
                                state(RunState.QUEUED),
                                state(RunState.PLACED),
                                placed(1),
                                state(RunState.RUNNING),
                                state(RunState.PLACED),
                                placed(2),
                                state(RunState.PLACED),
                                placed(3),
                                state(RunState.RUNNING),
                                state(RunState.QUEUED),
                                state(RunState.CANCELLED)))
                .extracting(RunInterval::kind, RunInterval::generation)
                .containsExactly(
                        tuple(Kind.QUEUED, 0),
                        tuple(Kind.PLACEMENT, 1),
                        tuple(Kind.TRAINING, 1),
                        tuple(Kind.PLACEMENT, 2),
                        tuple(Kind.PLACEMENT, 3),
                        tuple(Kind.TRAINING, 3),
                        tuple(Kind.QUEUED, 3));
    }

    @Test
    void runCanceledInTheQueueOnlyWaited() {
        assertThat(of(state(RunState.QUEUED), state(RunState.CANCELLED)))
                .containsExactly(new RunInterval(Kind.QUEUED, 0, QUEUED, at(1)));
    }
}
