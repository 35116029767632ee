package dev.equipoise.agent.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the generations of a run in threads, without its faults. Each generation begins with the
 * states in which the one before ended.
 *
 * @param plans plan of all epochs by shares; the schedule of its learning rate must not depend on
 *     the number of epochs
 */
record RepeatedGenerations(DatasetSplit data, Function<List<Integer>, TrainingPlan> plans) {

    /**
     * Generation of a run.
     *
     * @param from number of rounds that the run had completed when it began
     * @param workers names of the workers, by rank; a worker keeps its state across generations
     * @param shares samples of an epoch, by rank
     */
    record Generation(long from, List<String> workers, List<Integer> shares) {

        Generation {
            workers = List.copyOf(workers);
            shares = List.copyOf(shares);
        }
    }

    /** Returns the weight checksums after the last epoch, by rank. */
    List<String> repeat(List<Generation> generations) throws InterruptedException {
        Map<String, RetainedState> held = Map.of();
        for (int next = 1; next < generations.size(); next++) {
            held = end(generations.get(next - 1), held, generations.get(next).from());
        }
        Generation last = generations.getLast();
        return weights(replicas(last, held).train(plans.apply(last.shares())));
    }

    /** Returns the weight checksums after the last epoch, by rank. */
    static List<String> weights(List<TestingReplicas.Outcome> ranks) {
        return ranks.stream()
                .map(it -> it.epochs().getLast())
                .map(EpochFinished::parameters)
                .toList();
    }

    /**
     * Trains a generation and returns the states of its workers at its end.
     *
     * @param step number of rounds that the run had completed then
     */
    private Map<String, RetainedState> end(
            Generation generation, Map<String, RetainedState> held, long step)
            throws InterruptedException {
        if (step == generation.from()) {
            return held;
        }
        TrainingPlan plan = plans.apply(generation.shares());
        int rounds = plan.division().rounds();
        int epoch = Math.toIntExact((step - 1) / rounds + 1);
        int round = Math.toIntExact(step - (epoch - 1L) * rounds);
        TestingReplicas replicas = replicas(generation, held);
        Map<String, RetainedState> ends = new ConcurrentHashMap<>();
        InterruptedTrainingTest.run(
                replicas,
                TestingPlan.with(plan, epoch),
                rank ->
                        event -> {
                            if (event.equals(new RoundReached(rank, epoch, round))) {
                                ends.put(
                                        generation.workers().get(rank),
                                        InterruptedTrainingTest.state(
                                                replicas.working().get(rank)));
                            }
                        });
        assertThat(ends).as("states after %d rounds", step).hasSize(generation.workers().size());
        return ends;
    }

    private TestingReplicas replicas(Generation generation, Map<String, RetainedState> held) {
        Continuation continuation = held.isEmpty() ? null : continuation(generation, held);
        return new TestingReplicas(data, SystemTime::new)
                .resuming(rank -> instructions(generation, rank, held, continuation));
    }

    private static ResumeInstructions instructions(
            Generation generation,
            int rank,
            Map<String, RetainedState> held,
            @Nullable Continuation continuation) {
        return new ResumeInstructions(
                InterruptedTrainingTest.NONE,
                new SystemBackground(),
                continuation,
                held.get(generation.workers().get(rank)));
    }

    private Continuation continuation(Generation generation, Map<String, RetainedState> held) {
        List<Integer> holders =
                IntStream.range(0, generation.workers().size())
                        .filter(rank -> held.containsKey(generation.workers().get(rank)))
                        .boxed()
                        .toList();
        Position reached = held.values().iterator().next().position();
        int rounds = plans.apply(generation.shares()).division().rounds();
        Position from =
                reached.round() == rounds ? Position.beginning(reached.epoch() + 1) : reached;
        return new Continuation(from, holders);
    }
}
