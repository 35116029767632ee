package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.InterruptedTrainingTest.VICTIM;
import static dev.equipoise.agent.training.TestingTask.DATA;
import static dev.equipoise.agent.training.TestingTask.ROUNDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.training.RepeatedGenerations.Generation;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repetition without a fault has the bits of a run that lost a rank. */
class RepeatedGenerationsTest {

    private static final int EPOCHS = 3;
    private static final List<Integer> THREE = List.of(40, 35, 24);
    private static final List<Integer> TWO = List.of(53, 46);

    private static TrainingPlan plan(List<Integer> shares) {
        return TestingTask.plan(new Synchronization.Bsp(), TestingTask.ADAM, EPOCHS, shares);
    }

    /** Returns the states of the ranks that survive the loss of another in the second epoch. */
    private static Map<Integer, RetainedState> survivors(int round) throws InterruptedException {
        TestingReplicas disturbed = InterruptedTrainingTest.replicas();
        InterruptedTrainingTest.run(
                disturbed,
                plan(THREE),
                rank -> rank == VICTIM ? InterruptedTrainingTest.failingAfter(round) : _ -> {});
        return disturbed.retained();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, ROUNDS})
    void survivorsEndWithTheBitsOfARepetition(int round) throws InterruptedException {
        Map<Integer, RetainedState> retained = survivors(round);
        Continuation continuation = InterruptedTrainingTest.continuation(retained);

        List<TestingReplicas.Outcome> ended =
                InterruptedTrainingTest.resume(plan(TWO), continuation, retained);

        assertThat(
                        repeat(
                                new Generation(0, List.of("a", "b", "c"), THREE),
                                new Generation(
                                        continuation.from().step(ROUNDS), List.of("a", "b"), TWO)))
                .isEqualTo(RepeatedGenerations.weights(ended));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, ROUNDS})
    void joiningRankEndsWithTheBitsOfARepetition(int round) throws InterruptedException {
        Map<Integer, RetainedState> retained = survivors(round);
        Continuation continuation = InterruptedTrainingTest.continuation(retained);

        List<TestingReplicas.Outcome> ended =
                InterruptedTrainingTest.resume(plan(THREE), continuation, retained);

        assertThat(
                        repeat(
                                new Generation(0, List.of("a", "b", "c"), THREE),
                                new Generation(
                                        continuation.from().step(ROUNDS),
                                        List.of("a", "b", "d"),
                                        THREE)))
                .isEqualTo(RepeatedGenerations.weights(ended));
    }

    @ParameterizedTest
    @ValueSource(longs = {ROUNDS, 2 * ROUNDS})
    void generationsThatBeginWithEpochsHaveTheBitsOfOne(long step) throws InterruptedException {
        List<String> workers = List.of("a", "b", "c");

        assertThat(repeat(new Generation(0, workers, THREE), new Generation(step, workers, THREE)))
                .isEqualTo(
                        RepeatedGenerations.weights(
                                InterruptedTrainingTest.replicas().train(plan(THREE))));
    }

    private static List<String> repeat(Generation... generations) throws InterruptedException {
        return new RepeatedGenerations(DATA, RepeatedGenerationsTest::plan)
                .repeat(List.of(generations));
    }
}
