package dev.equipoise.app.run;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Interrupted;
import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.AgentEvent.Preempted;
import dev.equipoise.protocol.AgentEvent.RoundReached;
import dev.equipoise.protocol.AgentEvent.Traced;
import dev.equipoise.protocol.Position;

/**
 * What the reports of one rank must keep to, so that no figure is shown of what cannot have been.
 *
 * @param rounds rounds an epoch
 * @param leastSamples of the rank in an epoch
 * @param mostSamples the same where its share stays
 */
record Bounds(int epochs, int rounds, int leastSamples, int mostSamples) {

    /**
     * Refuses progress beyond the end.
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
     * Refuses an epoch that the run does not have, or that is of more or fewer samples than can be
     * the rank's.
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
    }

    /**
     * Refuses points beyond the end, and curves that the service makes of epochs.
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
                    "metric must be another than those of epochs, but was " + observed.metric());
        }
    }

    /**
     * Refuses an epoch that the run does not have.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(Traced traced) {
        checkEpoch(traced.epoch());
    }

    /**
     * Refuses an epoch that the run does not have.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(Decided decided) {
        checkEpoch(decided.epoch());
    }

    /**
     * Refuses a stop after the last epoch, or after one that the run does not have.
     *
     * @throws Problem {@code invalid-request}
     */
    void check(Preempted preempted) {
        checkEpoch(preempted.epoch());
        require(
                preempted.epoch() < epochs,
                "a run stops before its last epoch, %d, but this was after %d",
                epochs,
                preempted.epoch());
    }

    /**
     * Refuses what the rank cannot hold, as it lies beyond the end or where it has not been.
     *
     * @param samples of an epoch, of all ranks together
     * @param most rounds since the run began that the rank can have done
     * @throws Problem {@code invalid-request}
     */
    void check(Interrupted interrupted, int samples, long most) {
        Held held = interrupted.held();
        if (held == null) {
            return;
        }
        Position position = held.position();
        check(new RoundReached(interrupted.rank(), position.epoch(), position.round()));
        require(
                position.sample() <= samples,
                "sample must be at most %d, but was %d",
                samples,
                position.sample());
        if (position.step(rounds) > most) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d must hold what it has done, at most %d rounds, but held %s"
                            .formatted(interrupted.rank(), most, position));
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
