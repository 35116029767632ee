package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.run.Regrouping.Complete;
import dev.equipoise.app.run.Regrouping.GoOn;
import dev.equipoise.app.run.Regrouping.Rank;
import dev.equipoise.app.run.Regrouping.Stage;
import dev.equipoise.app.run.Regrouping.Stop;
import dev.equipoise.app.run.Regrouping.Terms;
import dev.equipoise.app.run.Regrouping.Wait;
import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegroupingTest {

    private static final int ROUNDS = 10;
    private static final int LEAST = 2;
    private static final Terms TOGETHER = new Terms(ROUNDS, 0, LEAST, false);
    private static final Terms APART = new Terms(ROUNDS, 0, LEAST, true);

    /** One server, and at least one replica. */
    private static final Terms SERVED = new Terms(ROUNDS, 1, LEAST, true);

    private static Position at(int epoch, int round) {
        return new Position(epoch, round, 7 * round);
    }

    private static Rank waits(int rank, Position position, Integer... missing) {
        return holds(rank, position, "weights at " + position, missing);
    }

    private static Rank holds(int rank, Position position, String parameters, Integer... missing) {
        return new Rank(
                rank,
                Stage.TRAINS,
                new Standstill.Waiting(new Held(position, parameters), List.of(missing)));
    }

    private static Rank hasNothing(int rank, Integer... missing) {
        return new Rank(rank, Stage.TRAINS, new Standstill.Waiting(null, List.of(missing)));
    }

    private static Rank lost(int rank) {
        return new Rank(
                rank,
                Stage.TRAINS,
                new Standstill.Lost(new RunFailure(FailureCause.WORKER, "worker-gone", "gone")));
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

    private static Regrouping decide(Rank... ranks) {
        return Regrouping.decide(List.of(ranks), TOGETHER, false);
    }

    private static Regrouping decideApart(Rank... ranks) {
        return Regrouping.decide(List.of(ranks), APART, false);
    }

    private static Regrouping decideServed(Rank... ranks) {
        return Regrouping.decide(List.of(ranks), SERVED, false);
    }

    private static GoOn goOn(List<Integer> ranks, Position from, Integer... holders) {
        return new GoOn(
                ranks,
                Resumed.alike(new Continuation(from, List.of(holders)), "weights at " + from));
    }

    private static GoOn goOnApart(
            List<Integer> ranks, Position from, List<Integer> holders, String... parameters) {
        return new GoOn(ranks, Resumed.apart(new Continuation(from, holders), List.of(parameters)));
    }

    @Test
    void whoHasFinishedIsNotWaitedForAndDoesNotGoOn() {
        assertThat(decide(finished(0), waits(1, at(2, 10), 0), waits(2, at(2, 10))))
                .isEqualTo(goOn(List.of(1, 2), at(2, 10), 0, 1));
        assertThat(decide(finished(0), lost(1), finished(2))).isEqualTo(new Stop(List.of()));
    }

    @Test
    void waitsForThoseThatHaveNotSpokenAndThatNobodyMisses() {
        assertThat(decide(waits(0, at(2, 3), 2), silent(1), silent(2))).isEqualTo(new Wait());
        assertThat(decide(waits(0, at(2, 3), 2), waits(1, at(2, 3)), silent(2)))
                .isEqualTo(goOn(List.of(0, 1), at(2, 3), 0, 1));
    }

    @Test
    void waitsNotForEver() {
        List<Rank> ranks = List.of(waits(0, at(2, 3)), waits(1, at(2, 3)), silent(2));

        assertThat(Regrouping.decide(ranks, TOGETHER, false)).isEqualTo(new Wait());
        assertThat(Regrouping.decide(ranks, TOGETHER, true))
                .isEqualTo(goOn(List.of(0, 1), at(2, 3), 0, 1));
    }

    @Test
    void theFurthestHoldWithWhatAllGoOn() {
        assertThat(decide(waits(0, at(2, 3)), lost(1), waits(2, at(2, 4)), waits(3, at(2, 4))))
                .as("ranks by their new numbers")
                .isEqualTo(goOn(List.of(0, 2, 3), at(2, 4), 1, 2));
    }

    @Test
    void theEndOfAnEpochAndTheBeginningOfTheNextAreOnePlace() {
        var end = new Position(2, ROUNDS, 70);
        var beginning = new Position(3, 0, 0);
        var held = new Held(end, "same");
        var other = new Held(beginning, "same");

        Regrouping decision =
                decide(
                        new Rank(0, Stage.TRAINS, new Standstill.Waiting(held, List.of())),
                        new Rank(1, Stage.TRAINS, new Standstill.Waiting(other, List.of())),
                        lost(2));

        assertThat(((GoOn) decision).resumed().continuation().holders()).containsExactly(0, 1);
    }

    @Test
    void whoHasNothingGoesOnWithWhatOthersHave() {
        assertThat(decide(hasNothing(0), waits(1, at(1, 5)), lost(2)))
                .isEqualTo(goOn(List.of(0, 1), at(1, 5), 1));
    }

    @Test
    void whereNobodyHasAnythingNobodyGoesOn() {
        assertThat(decide(hasNothing(0), hasNothing(1), lost(2)))
                .isEqualTo(new Stop(List.of(0, 1)));
    }

    @Test
    void tooFewDoNotGoOn() {
        assertThat(decide(waits(0, at(2, 3)), lost(1), lost(2))).isEqualTo(new Stop(List.of(0)));
    }

    @Test
    void thoseThatMissOneAnotherDoNotGoOnTogether() {
        assertThat(
                        decide(
                                waits(0, at(2, 3), 3),
                                waits(1, at(2, 3), 3),
                                waits(2, at(2, 3)),
                                waits(3, at(2, 4), 0, 1)))
                .isEqualTo(goOn(List.of(0, 1, 2), at(2, 3), 0, 1, 2));
        assertThat(decide(waits(0, at(2, 3), 1), waits(1, at(2, 3), 0)))
                .as("two that miss one another")
                .isEqualTo(new Stop(List.of(0)));
    }

    @Test
    void whereNobodyIsLostAllGoOn() {
        assertThat(decide(waits(0, at(2, 3)), waits(1, at(2, 3))))
                .isEqualTo(goOn(List.of(0, 1), at(2, 3), 0, 1));
    }

    @Test
    void whoHasMadeRoomForAnotherRunIsNotWaitedFor() {
        assertThat(decide(stopped(0), waits(1, at(2, 10)), waits(2, at(2, 10))))
                .isEqualTo(goOn(List.of(1, 2), at(2, 10), 0, 1));
    }

    @Test
    void ranksThatCarryOnGoOnWithTheirOwnWeightsWhereverTheseAreOfTheFurthestPlace() {
        assertThat(
                        decideApart(
                                holds(0, at(2, 10), "a"),
                                lost(1),
                                holds(2, at(2, 10), "b", 1),
                                holds(3, at(1, 10), "c"),
                                hasNothing(4)))
                .isEqualTo(goOnApart(List.of(0, 2, 3, 4), at(2, 10), List.of(0, 1), "a", "b"));
    }

    @Test
    void ranksThatTrainOnAreWaitedForHoweverLongThatTakes() {
        List<Rank> ranks = List.of(holds(0, at(2, 10), "a"), lost(1), silent(2));

        assertThat(Regrouping.decide(ranks, APART, true)).isEqualTo(new Wait());
        assertThat(decideApart(holds(0, at(2, 10), "a", 1), silent(1), holds(2, at(2, 10), "b")))
                .as("one that others miss")
                .isEqualTo(goOnApart(List.of(0, 2), at(2, 10), List.of(0, 1), "a", "b"));
    }

    @Test
    void whoHasNotBegunIsNotWaitedForForEver() {
        List<Rank> ranks = List.of(holds(0, at(2, 10), "a"), unready(1), holds(2, at(2, 10), "b"));

        assertThat(Regrouping.decide(ranks, APART, false)).isEqualTo(new Wait());
        assertThat(Regrouping.decide(ranks, APART, true))
                .isEqualTo(goOnApart(List.of(0, 2), at(2, 10), List.of(0, 1), "a", "b"));
    }

    @Test
    void nobodyTrainsOnWhereTooFewAreLeft() {
        assertThat(decideApart(silent(0), lost(1), lost(2))).isEqualTo(new Stop(List.of(0)));
        assertThat(decideApart(silent(0), lost(1), silent(2))).isEqualTo(new Wait());
        assertThat(decide(silent(0), lost(1), lost(2)))
                .as("who stands still says so first")
                .isEqualTo(new Wait());
    }

    @Test
    void whatAServerHadNobodyHas() {
        assertThat(decideServed(lost(0), silent(1), silent(2))).isEqualTo(new Stop(List.of(1, 2)));
        assertThat(
                        decideServed(
                                silent(0),
                                holds(1, at(2, 10), "b", 0),
                                holds(2, at(2, 10), "c", 0)))
                .as("one that the replicas miss")
                .isEqualTo(new Stop(List.of(1, 2)));
        assertThat(decideServed(hasNothing(0), holds(1, at(2, 10), "b"), lost(2)))
                .isEqualTo(new Stop(List.of(0, 1)));
        assertThat(decideServed(holds(0, at(2, 10), "a"), holds(1, at(2, 10), "b"), lost(2)))
                .isEqualTo(goOnApart(List.of(0, 1), at(2, 10), List.of(0, 1), "a", "b"));
    }

    @Test
    void oneServerAloneTrainsNothing() {
        assertThat(decideServed(silent(0), lost(1), lost(2))).isEqualTo(new Stop(List.of(0)));
    }

    @Test
    void whereOneThatCarriedOnHasFinishedNothingIsLeftToBeDone() {
        assertThat(decideApart(finished(0), lost(1), silent(2))).isEqualTo(new Wait());
        assertThat(decideApart(finished(0), lost(1), holds(2, at(2, 10), "b", 1)))
                .isEqualTo(new Complete());
        assertThat(decideApart(finished(0), lost(1), lost(2))).isEqualTo(new Complete());
        assertThat(decideServed(lost(0), finished(1), finished(2))).isEqualTo(new Complete());
    }
}
