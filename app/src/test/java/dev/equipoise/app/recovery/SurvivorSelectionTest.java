package dev.equipoise.app.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.recovery.SurvivorSelection.Complete;
import dev.equipoise.app.recovery.SurvivorSelection.Continue;
import dev.equipoise.app.recovery.SurvivorSelection.Rank;
import dev.equipoise.app.recovery.SurvivorSelection.Requirements;
import dev.equipoise.app.recovery.SurvivorSelection.Stage;
import dev.equipoise.app.recovery.SurvivorSelection.Stop;
import dev.equipoise.app.recovery.SurvivorSelection.Wait;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

class SurvivorSelectionTest {

    private static final int ROUNDS = 10;
    private static final int MIN_WORKERS = 2;
    private static final Requirements EQUAL_WEIGHTS =
            new Requirements(ROUNDS, 0, MIN_WORKERS, false);
    private static final Requirements OWN_WEIGHTS = new Requirements(ROUNDS, 0, MIN_WORKERS, true);

    /** One server and at least one replica. */
    private static final Requirements SERVED = new Requirements(ROUNDS, 1, MIN_WORKERS, true);

    private static Position at(int epoch, int round) {
        return new Position(epoch, round, 7 * round);
    }

    private static Rank suspended(int rank, Position position, Integer... missing) {
        return holds(rank, position, "weights at " + position, missing);
    }

    private static Rank holds(int rank, Position position, String parameters, Integer... missing) {
        return new Rank(
                rank,
                Stage.TRAINS,
                new StoppedRank.Waiting(new RetainedPoint(position, parameters), List.of(missing)));
    }

    private static Rank hasNothing(int rank, Integer... missing) {
        return new Rank(rank, Stage.TRAINS, new StoppedRank.Waiting(null, List.of(missing)));
    }

    private static Rank lost(int rank) {
        return new Rank(
                rank,
                Stage.TRAINS,
                new StoppedRank.Lost(new RunFailure(FailureCause.WORKER, "worker-gone", "gone")));
    }

    private static Rank silent(int rank) {
        return new Rank(rank, Stage.TRAINS, null);
    }

    private static Rank unready(int rank) {
        return new Rank(rank, Stage.PREPARES, null);
    }

    private static Rank stopped(int rank) {
        return new Rank(rank, Stage.STOPPED, null);
    }

    private static Rank finished(int rank) {
        return new Rank(rank, Stage.FINISHED, null);
    }

    private static SurvivorSelection decide(Rank... ranks) {
        return SurvivorSelection.decide(List.of(ranks), EQUAL_WEIGHTS, false);
    }

    private static SurvivorSelection decideOwnWeights(Rank... ranks) {
        return SurvivorSelection.decide(List.of(ranks), OWN_WEIGHTS, false);
    }

    private static SurvivorSelection decideServed(Rank... ranks) {
        return SurvivorSelection.decide(List.of(ranks), SERVED, false);
    }

    private static Continue continueWith(List<Integer> ranks, Position from, Integer... holders) {
        return new Continue(
                ranks,
                ResumePoint.alike(new Continuation(from, List.of(holders)), "weights at " + from));
    }

    private static Continue continueWithOwn(
            List<Integer> ranks, Position from, List<Integer> holders, String... parameters) {
        return new Continue(
                ranks, ResumePoint.apart(new Continuation(from, holders), List.of(parameters)));
    }

    @Test
    void finishedRankIsNotAwaitedAndDoesNotContinue() {
        assertThat(decide(finished(0), suspended(1, at(2, 10), 0), suspended(2, at(2, 10))))
                .isEqualTo(continueWith(List.of(1, 2), at(2, 10), 0, 1));
        assertThat(decide(finished(0), lost(1), finished(2))).isEqualTo(new Stop(List.of()));
    }

    @Test
    void awaitsUnreportedRanksThatNoRankLost() {
        assertThat(decide(suspended(0, at(2, 3), 2), silent(1), silent(2))).isEqualTo(new Wait());
        assertThat(decide(suspended(0, at(2, 3), 2), suspended(1, at(2, 3)), silent(2)))
                .isEqualTo(continueWith(List.of(0, 1), at(2, 3), 0, 1));
    }

    @Test
    void gracePeriodBoundsTheWait() {
        List<Rank> ranks = List.of(suspended(0, at(2, 3)), suspended(1, at(2, 3)), silent(2));

        assertThat(SurvivorSelection.decide(ranks, EQUAL_WEIGHTS, false)).isEqualTo(new Wait());
        assertThat(SurvivorSelection.decide(ranks, EQUAL_WEIGHTS, true))
                .isEqualTo(continueWith(List.of(0, 1), at(2, 3), 0, 1));
    }

    @Test
    void survivorsContinueWithTheFurthestState() {
        assertThat(
                        decide(
                                suspended(0, at(2, 3)),
                                lost(1),
                                suspended(2, at(2, 4)),
                                suspended(3, at(2, 4))))
                .as("holders by their new numbers")
                .isEqualTo(continueWith(List.of(0, 2, 3), at(2, 4), 1, 2));
    }

    @Test
    void endOfAnEpochEqualsBeginningOfTheNext() {
        var end = new Position(2, ROUNDS, 70);
        var beginning = new Position(3, 0, 0);
        var held = new RetainedPoint(end, "same");
        var other = new RetainedPoint(beginning, "same");

        SurvivorSelection decision =
                decide(
                        new Rank(0, Stage.TRAINS, new StoppedRank.Waiting(held, List.of())),
                        new Rank(1, Stage.TRAINS, new StoppedRank.Waiting(other, List.of())),
                        lost(2));

        assertThat(((Continue) decision).resumed().continuation().holders()).containsExactly(0, 1);
    }

    /** Rank 1 was lost; the numbers of the others become 0, 1 and 2. */
    @Test
    void survivorsThatDifferContinueWithTheWeightsOfTheLowest() {
        Position from = at(2, 5);

        assertThat(
                        decide(
                                holds(0, from, "a", 1),
                                lost(1),
                                holds(2, from, "b", 1),
                                holds(3, from, "a", 1)))
                .isEqualTo(
                        new Continue(
                                List.of(0, 2, 3),
                                ResumePoint.alike(new Continuation(from, List.of(0, 2)), "a")));
        assertThat(decide(lost(0), holds(1, from, "b", 0), holds(2, from, "a", 0)))
                .isEqualTo(
                        new Continue(
                                List.of(1, 2),
                                ResumePoint.alike(new Continuation(from, List.of(0)), "b")));
    }

    @Test
    void rankWithoutStateContinuesWithThatOfOthers() {
        assertThat(decide(hasNothing(0), suspended(1, at(1, 5)), lost(2)))
                .isEqualTo(continueWith(List.of(0, 1), at(1, 5), 1));
    }

    @Test
    void noRankContinuesWithoutAnyState() {
        assertThat(decide(hasNothing(0), hasNothing(1), lost(2)))
                .isEqualTo(new Stop(List.of(0, 1)));
    }

    @Test
    void tooFewRanksDoNotContinue() {
        assertThat(decide(suspended(0, at(2, 3)), lost(1), lost(2)))
                .isEqualTo(new Stop(List.of(0)));
    }

    @Test
    void ranksWithoutContactDoNotContinueTogether() {
        assertThat(
                        decide(
                                suspended(0, at(2, 3), 3),
                                suspended(1, at(2, 3), 3),
                                suspended(2, at(2, 3)),
                                suspended(3, at(2, 4), 0, 1)))
                .isEqualTo(continueWith(List.of(0, 1, 2), at(2, 3), 0, 1, 2));
        assertThat(decide(suspended(0, at(2, 3), 1), suspended(1, at(2, 3), 0)))
                .as("two ranks that lost contact with each other")
                .isEqualTo(new Stop(List.of(0)));
    }

    @Test
    void allRanksContinueIfNoneIsLost() {
        assertThat(decide(suspended(0, at(2, 3)), suspended(1, at(2, 3))))
                .isEqualTo(continueWith(List.of(0, 1), at(2, 3), 0, 1));
    }

    @Test
    void rankStoppedForAPreemptionIsNotAwaited() {
        assertThat(decide(stopped(0), suspended(1, at(2, 10)), suspended(2, at(2, 10))))
                .isEqualTo(continueWith(List.of(1, 2), at(2, 10), 0, 1));
    }

    @Test
    void holdersOfTheFurthestStateKeepTheirOwnWeights() {
        assertThat(
                        decideOwnWeights(
                                holds(0, at(2, 10), "a"),
                                lost(1),
                                holds(2, at(2, 10), "b", 1),
                                holds(3, at(1, 10), "c"),
                                hasNothing(4)))
                .isEqualTo(
                        continueWithOwn(List.of(0, 2, 3, 4), at(2, 10), List.of(0, 1), "a", "b"));
    }

    @Test
    void ranksThatCarryOnAreAwaitedBeyondTheGracePeriod() {
        List<Rank> ranks = List.of(holds(0, at(2, 10), "a"), lost(1), silent(2));

        assertThat(SurvivorSelection.decide(ranks, OWN_WEIGHTS, true)).isEqualTo(new Wait());
        assertThat(
                        decideOwnWeights(
                                holds(0, at(2, 10), "a", 1), silent(1), holds(2, at(2, 10), "b")))
                .as("a rank that others lost contact with")
                .isEqualTo(continueWithOwn(List.of(0, 2), at(2, 10), List.of(0, 1), "a", "b"));
    }

    @Test
    void unreadyRankIsAwaitedForTheGracePeriodOnly() {
        List<Rank> ranks = List.of(holds(0, at(2, 10), "a"), unready(1), holds(2, at(2, 10), "b"));

        assertThat(SurvivorSelection.decide(ranks, OWN_WEIGHTS, false)).isEqualTo(new Wait());
        assertThat(SurvivorSelection.decide(ranks, OWN_WEIGHTS, true))
                .isEqualTo(continueWithOwn(List.of(0, 2), at(2, 10), List.of(0, 1), "a", "b"));
    }

    @Test
    void tooFewRanksStopAtOnce() {
        assertThat(decideOwnWeights(silent(0), lost(1), lost(2))).isEqualTo(new Stop(List.of(0)));
        assertThat(decideOwnWeights(silent(0), lost(1), silent(2))).isEqualTo(new Wait());
        assertThat(decide(silent(0), lost(1), lost(2)))
                .as("ranks without own weights report first")
                .isEqualTo(new Wait());
    }

    @Test
    void lostServerStopsTheRun() {
        assertThat(decideServed(lost(0), silent(1), silent(2))).isEqualTo(new Stop(List.of(1, 2)));
        assertThat(
                        decideServed(
                                silent(0),
                                holds(1, at(2, 10), "b", 0),
                                holds(2, at(2, 10), "c", 0)))
                .as("a server that the replicas lost contact with")
                .isEqualTo(new Stop(List.of(1, 2)));
        assertThat(decideServed(hasNothing(0), holds(1, at(2, 10), "b"), lost(2)))
                .isEqualTo(new Stop(List.of(0, 1)));
        assertThat(decideServed(holds(0, at(2, 10), "a"), holds(1, at(2, 10), "b"), lost(2)))
                .isEqualTo(continueWithOwn(List.of(0, 1), at(2, 10), List.of(0, 1), "a", "b"));
    }

    @Test
    void serverAloneStops() {
        assertThat(decideServed(silent(0), lost(1), lost(2))).isEqualTo(new Stop(List.of(0)));
    }

    @Test
    void runIsCompleteOnceARankThatCarriedOnFinished() {
        assertThat(decideOwnWeights(finished(0), lost(1), silent(2))).isEqualTo(new Wait());
        assertThat(decideOwnWeights(finished(0), lost(1), holds(2, at(2, 10), "b", 1)))
                .isEqualTo(new Complete());
        assertThat(decideOwnWeights(finished(0), lost(1), lost(2))).isEqualTo(new Complete());
        assertThat(decideServed(lost(0), finished(1), finished(2))).isEqualTo(new Complete());
    }
}
