package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.run.Regrouping.GoOn;
import dev.equipoise.app.run.Regrouping.Rank;
import dev.equipoise.app.run.Regrouping.Stop;
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

    private static Position at(int epoch, int round) {
        return new Position(epoch, round, 7 * round);
    }

    private static Rank waits(int rank, Position position, Integer... missing) {
        return new Rank(
                rank,
                new Standstill.Waiting(
                        new Held(position, "weights at " + position), List.of(missing)),
                false);
    }

    private static Rank hasNothing(int rank, Integer... missing) {
        return new Rank(rank, new Standstill.Waiting(null, List.of(missing)), false);
    }

    private static Rank lost(int rank) {
        return new Rank(
                rank,
                new Standstill.Lost(new RunFailure(FailureCause.WORKER, "worker-gone", "gone")),
                false);
    }

    private static Rank silent(int rank) {
        return new Rank(rank, null, false);
    }

    private static Rank finished(int rank) {
        return new Rank(rank, null, true);
    }

    private static Regrouping decide(Rank... ranks) {
        return Regrouping.decide(List.of(ranks), ROUNDS, LEAST, false);
    }

    private static GoOn goOn(List<Integer> ranks, Position from, Integer... holders) {
        return new GoOn(
                ranks, new Resumed(new Continuation(from, List.of(holders)), "weights at " + from));
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

        assertThat(Regrouping.decide(ranks, ROUNDS, LEAST, false)).isEqualTo(new Wait());
        assertThat(Regrouping.decide(ranks, ROUNDS, LEAST, true))
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
                        new Rank(0, new Standstill.Waiting(held, List.of()), false),
                        new Rank(1, new Standstill.Waiting(other, List.of()), false),
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
}
