package dev.equipoise.app.monitor;

import static java.util.function.Function.identity;

import dev.equipoise.app.monitor.Waterfall.EpochParts;
import dev.equipoise.app.monitor.Waterfall.Kind;
import dev.equipoise.app.monitor.Waterfall.Segment;
import dev.equipoise.app.monitor.Waterfall.Source;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunTimeline;
import dev.equipoise.app.run.RunTimeline.TimedEvent;
import dev.equipoise.app.telemetry.EpochStore.PhaseSums;
import dev.equipoise.app.telemetry.RunTimes.OfRank;
import dev.equipoise.protocol.RunPhases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Divides the time of a run into segments. A cursor moves from the submission to the end, in
 * nanoseconds, and each segment reaches from the cursor to the next cut; so no time is lost or
 * counted twice, even if a clock was set back.
 */
final class WaterfallSegments {

    private static final double NANOS = 1e9;

    private final Instant from;
    private final long length;
    private final Map<Integer, OfRank> longest;
    private final List<PhaseSums> sums;
    private final List<Segment> segments = new ArrayList<>();
    private long cursor;
    private RunState state = RunState.QUEUED;
    private int generation;

    /**
     * @param length time of the run, in nanoseconds
     * @param longest one rank of each generation that reported run phases
     */
    WaterfallSegments(Instant from, long length, List<OfRank> longest, List<PhaseSums> sums) {
        this.from = from;
        this.length = length;
        this.longest = longest.stream().collect(Collectors.toMap(OfRank::generation, identity()));
        this.sums = sums;
    }

    static double seconds(long nanos) {
        return nanos / NANOS;
    }

    /** Returns the segments from the submission to the end. Called once. */
    List<Segment> divide(List<TimedEvent> events) {
        events.forEach(this::follow);
        if (events.size() >= RunTimeline.MAX_TRANSITIONS) {
            divideState(position(events.getLast().at()));
            add(Kind.UNRECORDED, Source.SERVICE, length, null);
        } else {
            divideState(length);
        }
        return segments;
    }

    private void follow(TimedEvent timed) {
        if (timed.event() instanceof RunEvent.Placed placed) {
            generation = placed.generation();
        } else if (timed.event() instanceof RunEvent.State(RunState next)) {
            if (!continues(next)) {
                divideState(next.isTerminal() ? length : position(timed.at()));
            }
            state = next;
        }
    }

    /** Whether the next state has no segment of its own. */
    private boolean continues(RunState next) {
        return switch (state) {
            // The first event of a run says that it is queued.
            case QUEUED -> next == RunState.QUEUED;
            // The run phases of a rank divide the preparation and the training together.
            case PREPARING -> next == RunState.RUNNING && longest.containsKey(generation);
            case PLACED, RUNNING, COMPLETED, FAILED, CANCELLED -> false;
        };
    }

    /** Returns a time as nanoseconds since the submission, between the cursor and the end. */
    private long position(Instant at) {
        return Math.clamp(Duration.between(from, at).toNanos(), cursor, length);
    }

    /** Divides the time of the present state, from the cursor on. */
    private void divideState(long until) {
        switch (state) {
            case QUEUED -> add(Kind.QUEUED, Source.SERVICE, until, null);
            case PLACED -> add(Kind.PLACED, Source.SERVICE, until, null);
            case PREPARING -> divideWork(Kind.PREPARATION, until);
            case RUNNING -> divideWork(Kind.TRAINING, until);
            case COMPLETED, FAILED, CANCELLED -> {}
        }
    }

    private void divideWork(Kind unreported, long until) {
        OfRank rank = longest.get(generation);
        if (rank == null) {
            add(unreported, Source.SERVICE, until, null);
        } else {
            divideByPhases(rank, until);
            add(Kind.REPORT, Source.SERVICE, until, null);
        }
    }

    private void divideByPhases(OfRank rank, long until) {
        long begun = cursor;
        double reported = rank.phases().sum();
        double measured = seconds(until - begun);
        Source source = reported > measured ? Source.SCALED_RANK : Source.RANK;
        double sum = 0;
        for (Phase phase : phases(rank.phases())) {
            sum += phase.seconds();
            double fraction = sum / Math.max(reported, measured);
            long end = begun + Math.round(fraction * (until - begun));
            add(phase.kind(), source, end, phase.kind() == Kind.TRAINING ? rank : null);
        }
    }

    private record Phase(Kind kind, double seconds) {}

    /** Returns all phases, in the order in which {@link RunPhases#sum} adds them. */
    private static List<Phase> phases(RunPhases phases) {
        return List.of(
                new Phase(Kind.RENDEZVOUS, phases.rendezvousSeconds()),
                new Phase(Kind.DATA, phases.dataSeconds()),
                new Phase(Kind.WARM_UP, phases.warmUpSeconds()),
                new Phase(Kind.RESTORE, phases.restoreSeconds()),
                new Phase(Kind.CALIBRATION, phases.calibrationSeconds()),
                new Phase(Kind.TRAINING, phases.trainingSeconds()),
                new Phase(Kind.EVALUATION, phases.evaluationSeconds()),
                new Phase(Kind.CHECKPOINT, phases.checkpointSeconds()),
                new Phase(Kind.COORDINATION, phases.coordinationSeconds()));
    }

    /**
     * Adds a segment from the cursor on, unless its length is 0.
     *
     * @param trained rank whose epochs divide the segment; null if none do
     */
    private void add(Kind kind, Source source, long until, @Nullable OfRank trained) {
        if (until > cursor) {
            double seconds = seconds(until - cursor);
            segments.add(
                    new Segment(
                            kind,
                            source,
                            kind == Kind.QUEUED || kind == Kind.UNRECORDED ? null : generation,
                            seconds(cursor),
                            seconds,
                            trained == null ? null : parts(trained, seconds)));
        }
        cursor = until;
    }

    private @Nullable EpochParts parts(OfRank rank, double seconds) {
        return sums.stream()
                .filter(it -> it.generation() == rank.generation() && it.rank() == rank.rank())
                .findFirst()
                .map(it -> EpochParts.of(it, rank.phases().trainingSeconds(), seconds))
                .orElse(null);
    }
}
