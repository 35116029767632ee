package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.recovery.ResumePoint;
import dev.equipoise.app.telemetry.EpochMetric;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome.Interrupted;
import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Outcome.Preempted;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.RunReport.Traced;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits of the reports of one rank; rejects impossible figures.
 *
 * @param rounds rounds of an epoch
 * @param leastSamples least samples of the rank in an epoch
 * @param mostSamples most samples of the rank in an epoch; equal to {@code leastSamples} if the
 *     share is fixed
 * @param mostBytes most bytes that the rank can send in an epoch, so that the sum over all ranks
 *     and epochs is a 64-bit number
 */
record ReportLimits(int epochs, int rounds, int leastSamples, int mostSamples, long mostBytes) {

    /** Returns the limits of the reports of a rank that name no epoch's samples. */
    static ReportLimits of(Run run, RunRank runRank) {
        return of(run, runRank, 0);
    }

    /**
     * Returns the limits of the report of an epoch. In the epoch at which a generation resumes the
     * samples of each rank are unknown, since ranks of the generation before have trained a part of
     * it.
     */
    static ReportLimits of(Run run, RunRank runRank, int epoch) {
        RunConfiguration configuration = run.configuration();
        ResumePoint resumed = run.resumption();
        boolean isResumed = resumed != null && resumed.continuation().from().epoch() == epoch;
        boolean stays = configuration.hysteresis() == null && !isResumed;
        return new ReportLimits(
                configuration.training().epochs(),
                run.rounds(),
                stays ? runRank.share() : 0,
                stays ? runRank.share() : configuration.dataset().limit(),
                mostBytes(configuration));
    }

    private static long mostBytes(RunConfiguration configuration) {
        return Long.MAX_VALUE / configuration.training().epochs() / configuration.ranks();
    }

    /**
     * Rejects progress beyond the end.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(RoundReached reached) {
        checkEpoch(reached.epoch());
        require(
                reached.round() <= rounds,
                "round must be at most %d, but was %d",
                rounds,
                reached.round());
    }

    /**
     * Rejects an epoch that the run does not have, or a number of samples or bytes that the rank
     * cannot have.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(EpochFinished finished) {
        checkEpoch(finished.epoch());
        require(
                finished.samples() >= leastSamples && finished.samples() <= mostSamples,
                leastSamples == mostSamples
                        ? "samples must be the rank's share, %d, but was %d"
                        : "samples must be at most %d, but was %d",
                mostSamples,
                finished.samples());
        long bytes = finished.traffic().bytes();
        if (bytes > mostBytes) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "/traffic",
                                    "must have at most %d bytes in total".formatted(mostBytes),
                                    bytes)));
        }
    }

    /**
     * Rejects points beyond the end, and metrics that the service derives from epochs.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(Observed observed) {
        long last = observed.steps().isEmpty() ? 0 : observed.steps().getLast();
        long most = (long) epochs * rounds;
        if (last > most) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "step must be at most %d, but was %d".formatted(most, last));
        }
        if (EpochMetric.of(observed.metric()).isPresent()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "metric must not be one that the service derives from epochs, but was "
                            + observed.metric());
        }
    }

    /**
     * Rejects an epoch that the run does not have.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(Traced traced) {
        checkEpoch(traced.epoch());
    }

    /**
     * Rejects an epoch that the run does not have.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(Decided decided) {
        checkEpoch(decided.epoch());
    }

    /**
     * Rejects a stop after the last epoch, or after an epoch that the run does not have.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(Preempted preempted) {
        checkEpoch(preempted.epoch());
        require(
                preempted.epoch() < epochs,
                "a run must stop before its last epoch, %d, but stopped after epoch %d",
                epochs,
                preempted.epoch());
    }

    /**
     * Rejects a retained state beyond the end, or beyond what the rank can have trained.
     *
     * @param samples samples of an epoch, of all ranks together
     * @param most most rounds since the beginning of the run that the rank can have trained
     * @throws Problem {@code invalid-request}
     */
    void check(Interrupted interrupted, int samples, long most) {
        RetainedPoint held = interrupted.held();
        if (held != null) {
            check(interrupted.rank(), held.position(), samples, most);
        }
    }

    private void check(int rank, Position position, int samples, long most) {
        check(new RoundReached(rank, position.epoch(), position.round()));
        require(
                position.sample() <= samples,
                "sample must be at most %d, but was %d",
                samples,
                position.sample());
        if (position.step(rounds) > most) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d must hold at most the %d rounds that it trained, but held %s"
                            .formatted(rank, most, position));
        }
    }

    /**
     * Rejects a distance from a rank that the run does not have.
     *
     * @throws Problem {@code invalid-request}
     */
    static void check(Run run, @Nullable ReplicaDistance distance) {
        if (distance != null) {
            require(
                    distance.from() < run.ranks(),
                    "a distance must be from a rank below %d, but was from rank %d",
                    run.ranks(),
                    distance.from());
        }
    }

    private void checkEpoch(int epoch) {
        require(
                epoch >= 1 && epoch <= epochs,
                "epoch must be from 1 to %d, but was %d",
                epochs,
                epoch);
    }

    private static void require(boolean kept, String rule, int bound, int actual) {
        if (!kept) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, rule.formatted(bound, actual));
        }
    }
}
