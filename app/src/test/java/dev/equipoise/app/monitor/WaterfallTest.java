package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.monitor.Waterfall.EpochParts;
import dev.equipoise.app.monitor.Waterfall.Kind;
import dev.equipoise.app.monitor.Waterfall.Segment;
import dev.equipoise.app.monitor.Waterfall.Source;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunTimeline;
import dev.equipoise.app.run.RunTimeline.TimedEvent;
import dev.equipoise.app.run.RunTimeline.Timeline;
import dev.equipoise.app.telemetry.EpochStore.PhaseSums;
import dev.equipoise.app.telemetry.RunTimes.OfRank;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunPhases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaterfallTest {

    private static final Instant QUEUED = Instant.parse("2026-01-01T00:00:00Z");

    /** Rank with 1 s in each phase, but 20 s of training. */
    private static final RunPhases PHASES = new RunPhases(1, 1, 1, 1, 1, 20, 1, 1, 1);

    private final List<TimedEvent> events = new ArrayList<>();
    private final List<OfRank> longest = new ArrayList<>();
    private final List<PhaseSums> sums = new ArrayList<>();

    private void at(double second, RunState state) {
        events.add(new TimedEvent(moment(second), new RunEvent.State(state)));
    }

    private void placed(double second, int generation) {
        at(second, RunState.PLACED);
        events.add(new TimedEvent(moment(second), new RunEvent.Placed(generation, List.of())));
    }

    /** Places a generation, whose agents begin a second later and which trains 5 s after that. */
    private void trains(double second, int generation) {
        placed(second, generation);
        at(second + 1, RunState.PREPARING);
        at(second + 6, RunState.RUNNING);
    }

    private void reports(int generation, RunPhases phases) {
        longest.add(new OfRank(generation, 0, phases.sum(), phases));
    }

    private static Instant moment(double second) {
        return QUEUED.plus(Duration.ofNanos(Math.round(second * 1e9)));
    }

    /** Returns the waterfall of an ended run, or of an open one 100 s after its submission. */
    private Waterfall waterfall(@Nullable Double ended) {
        var timeline =
                new Timeline(
                        RunId.of(UUID.randomUUID()),
                        "some",
                        QUEUED,
                        ended == null ? null : moment(ended),
                        events);
        Waterfall waterfall = Waterfall.of(timeline, longest, sums, moment(100));
        assertSumsToTheTime(waterfall);
        return waterfall;
    }

    private static void assertSumsToTheTime(Waterfall waterfall) {
        double cursor = 0;
        for (Segment segment : waterfall.segments()) {
            assertThat(segment.startSeconds()).isCloseTo(cursor, within(1e-9));
            assertThat(segment.seconds()).isPositive();
            cursor = segment.startSeconds() + segment.seconds();
        }
        assertThat(cursor).isCloseTo(waterfall.seconds(), within(1e-9));
        assertThat(waterfall.seconds())
                .isEqualTo(Duration.between(waterfall.from(), waterfall.to()).toNanos() / 1e9);
    }

    private static Tuple[] segments(Waterfall waterfall) {
        return waterfall.segments().stream()
                .map(it -> tuple(it.kind(), it.generation(), it.seconds()))
                .toArray(Tuple[]::new);
    }

    @Test
    void runIsDividedByStatesAndRunPhases() {
        at(0.5, RunState.QUEUED);
        trains(10, 1);
        at(41, RunState.COMPLETED);
        reports(1, PHASES);

        Waterfall waterfall = waterfall(41.0);

        assertThat(segments(waterfall))
                .containsExactly(
                        tuple(Kind.QUEUED, null, 10.0),
                        tuple(Kind.PLACED, 1, 1.0),
                        tuple(Kind.RENDEZVOUS, 1, 1.0),
                        tuple(Kind.DATA, 1, 1.0),
                        tuple(Kind.WARM_UP, 1, 1.0),
                        tuple(Kind.RESTORE, 1, 1.0),
                        tuple(Kind.CALIBRATION, 1, 1.0),
                        tuple(Kind.TRAINING, 1, 20.0),
                        tuple(Kind.EVALUATION, 1, 1.0),
                        tuple(Kind.CHECKPOINT, 1, 1.0),
                        tuple(Kind.COORDINATION, 1, 1.0),
                        tuple(Kind.REPORT, 1, 2.0));
        assertThat(waterfall.open()).isFalse();
        assertThat(waterfall.segments())
                .filteredOn(it -> it.kind() == Kind.TRAINING)
                .extracting(Segment::source, Segment::epochs)
                .containsExactly(tuple(Source.RANK, null));
    }

    @Test
    void trainingIsDividedByTheEpochsOfTheLongestRank() {
        trains(0, 1);
        at(31, RunState.COMPLETED);
        reports(1, RunPhases.ofTraining(20));
        sums.add(new PhaseSums(1, 1, 99, 99, 99, 99, 99));
        sums.add(new PhaseSums(1, 0, 8, 1, 4, 3, 2));

        assertThat(waterfall(31.0).segments())
                .filteredOn(it -> it.kind() == Kind.TRAINING)
                .extracting(Segment::epochs)
                .containsExactly(new EpochParts(8, 1, 4, 3, 2, 2));
    }

    @Test
    void partsOfEpochsNeverExceedTheTraining() {
        assertThat(EpochParts.of(new PhaseSums(1, 0, 8, 4, 4, 2, 2), 10, 5))
                .isEqualTo(new EpochParts(2, 1, 1, 0.5, 0.5, 0));
    }

    @Test
    void restartedRunWaitsBetweenItsGenerations() {
        trains(2, 1);
        at(30, RunState.QUEUED);
        trains(35, 2);
        at(60, RunState.COMPLETED);
        reports(1, RunPhases.ofTraining(25));
        reports(2, RunPhases.ofTraining(24));

        assertThat(segments(waterfall(60.0)))
                .containsExactly(
                        tuple(Kind.QUEUED, null, 2.0),
                        tuple(Kind.PLACED, 1, 1.0),
                        tuple(Kind.TRAINING, 1, 25.0),
                        tuple(Kind.REPORT, 1, 2.0),
                        tuple(Kind.QUEUED, null, 5.0),
                        tuple(Kind.PLACED, 2, 1.0),
                        tuple(Kind.TRAINING, 2, 24.0));
    }

    /** The next generation has workers at once, as after a preemption of some of them. */
    @Test
    void reconfiguredRunIsPlacedAgain() {
        trains(2, 1);
        placed(20, 2);
        placed(21, 3);
        at(22, RunState.PREPARING);
        at(25, RunState.RUNNING);
        at(40, RunState.FAILED);
        reports(1, RunPhases.ofTraining(17));

        assertThat(segments(waterfall(40.0)))
                .containsExactly(
                        tuple(Kind.QUEUED, null, 2.0),
                        tuple(Kind.PLACED, 1, 1.0),
                        tuple(Kind.TRAINING, 1, 17.0),
                        tuple(Kind.PLACED, 2, 1.0),
                        tuple(Kind.PLACED, 3, 1.0),
                        tuple(Kind.PREPARATION, 3, 3.0),
                        tuple(Kind.TRAINING, 3, 15.0));
    }

    @Test
    void runCanceledInTheQueueOnlyWaited() {
        at(7, RunState.CANCELLED);

        assertThat(segments(waterfall(7.0))).containsExactly(tuple(Kind.QUEUED, null, 7.0));
    }

    @Test
    void runThatFailedBeforeItsTrainingPrepared() {
        placed(3, 1);
        at(4, RunState.PREPARING);
        at(9, RunState.FAILED);

        assertThat(segments(waterfall(9.0)))
                .containsExactly(
                        tuple(Kind.QUEUED, null, 3.0),
                        tuple(Kind.PLACED, 1, 1.0),
                        tuple(Kind.PREPARATION, 1, 5.0));
    }

    @Test
    void openRunReachesToThePresent() {
        trains(10, 1);
        reports(1, RunPhases.ofTraining(80));

        Waterfall waterfall = waterfall(null);

        assertThat(waterfall.open()).isTrue();
        assertThat(waterfall.to()).isEqualTo(moment(100));
        assertThat(segments(waterfall))
                .endsWith(tuple(Kind.TRAINING, 1, 80.0), tuple(Kind.REPORT, 1, 9.0));
    }

    @Test
    void phasesLongerThanTheirIntervalAreShortened() {
        trains(0, 1);
        at(6, RunState.COMPLETED);
        reports(1, new RunPhases(0, 2, 0, 0, 0, 8, 0, 0, 0));

        Waterfall waterfall = waterfall(6.0);

        assertThat(segments(waterfall))
                .containsExactly(
                        tuple(Kind.PLACED, 1, 1.0),
                        tuple(Kind.DATA, 1, 1.0),
                        tuple(Kind.TRAINING, 1, 4.0));
        assertThat(waterfall.segments().getLast().source()).isEqualTo(Source.SCALED_RANK);
    }

    @Test
    void runOfAgentsWithoutPhasesPreparesAndTrains() {
        trains(0, 1);
        at(30, RunState.COMPLETED);

        Waterfall waterfall = waterfall(30.0);

        assertThat(segments(waterfall))
                .containsExactly(
                        tuple(Kind.PLACED, 1, 1.0),
                        tuple(Kind.PREPARATION, 1, 5.0),
                        tuple(Kind.TRAINING, 1, 24.0));
        assertThat(waterfall.segments()).extracting(Segment::source).containsOnly(Source.SERVICE);
    }

    @Test
    void transitionsBeforeTheSubmissionOrAfterTheEndTakeNoTime() {
        at(0, RunState.QUEUED);
        trains(-50, 1);
        at(60, RunState.COMPLETED);
        reports(1, PHASES);

        assertThat(waterfall(30.0).segments().getFirst().kind()).isEqualTo(Kind.RENDEZVOUS);
    }

    @Test
    void timeAfterTheLastReadTransitionIsUnrecorded() {
        events.addAll(
                Collections.nCopies(
                        RunTimeline.MAX_TRANSITIONS,
                        new TimedEvent(moment(5), new RunEvent.State(RunState.QUEUED))));

        assertThat(segments(waterfall(60.0)))
                .containsExactly(tuple(Kind.QUEUED, null, 5.0), tuple(Kind.UNRECORDED, null, 55.0));
    }
}
