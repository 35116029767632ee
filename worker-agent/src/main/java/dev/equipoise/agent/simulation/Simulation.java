package dev.equipoise.agent.simulation;

import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.order.RecordedOrders;
import dev.equipoise.agent.order.ReplayDivergence;
import dev.equipoise.agent.order.Replaying;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.agent.training.LastFiniteWeights;
import dev.equipoise.agent.training.PlanData;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Executes virtual runs and replays: trains all replicas of a run in this process on a virtual
 * clock.
 */
public final class Simulation {

    /** Least number of vectors of a replica: weights, gradient and a sum of gradients. */
    private static final int MIN_VECTORS = 3;

    private static final double BYTES_PER_GIGABYTE = 1e9;

    private final DatasetRegistry datasets;
    private final int threadsOfNetwork;
    private final long memoryBytes;
    private final Backend backend;
    private final DivergedWeightsStore divergedWeights;
    private final RecordedOrders recordedOrders;

    /**
     * @param threadsOfNetwork number of threads with which one network computes
     * @param memoryBytes memory of this host, in bytes
     */
    public Simulation(
            DatasetRegistry datasets,
            int threadsOfNetwork,
            long memoryBytes,
            Backend backend,
            DivergedWeightsStore divergedWeights,
            RecordedOrders recordedOrders) {
        this.datasets = datasets;
        this.threadsOfNetwork = threadsOfNetwork;
        this.memoryBytes = memoryBytes;
        this.backend = backend;
        this.divergedWeights = divergedWeights;
        this.recordedOrders = recordedOrders;
    }

    /** Trains a run that stores no model and begins with random weights. */
    public void run(Assignment.Simulation assignment, Consumer<RunReport> events)
            throws InterruptedException {
        run(assignment, events, null);
    }

    /**
     * Trains to the end.
     *
     * @param models null if the run stores no model and begins with random weights
     * @throws AssignmentFailed when that fails
     * @throws InterruptedException when the thread was interrupted
     */
    public void run(
            Assignment.Simulation assignment,
            Consumer<RunReport> events,
            @Nullable ModelStore models)
            throws InterruptedException {
        TrainingPlan plan = assignment.plan();
        requireMemory(plan);
        SimulationInputs inputs = inputs(assignment);
        DatasetSplit data = PlanData.load(datasets, plan);
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / threadsOfNetwork);
        try (Arena memory = Arena.ofShared();
                var networks = new SimulatedNetworks(plan, data, backend, memory);
                var cluster =
                        new VirtualCluster(plan.division().ranks(), inputs.links(), threads)) {
            networks.create(threads, models);
            LastFiniteWeights finiteWeights =
                    divergedWeights.lastFiniteWeights(
                            assignment.run(), networks.parameterCount(), memory);
            new SimulatedRanks(
                            plan,
                            inputs,
                            cluster,
                            networks,
                            finiteWeights,
                            events,
                            models == null ? null : models.naming(data.classNames()),
                            memory)
                    .play();
        } catch (ReplayDivergence e) {
            throw AssignmentFailed.byUser("order-impossible", String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Checks the memory, since the operating system would not refuse too much, but end the process
     * later.
     */
    private void requireMemory(TrainingPlan plan) {
        long vector = (long) plan.network().parameterCount() * Float.BYTES;
        long required = plan.division().ranks() * vector * MIN_VECTORS;
        if (required > memoryBytes) {
            throw AssignmentFailed.byWorker(
                    "out-of-memory",
                    String.format(
                            Locale.ROOT,
                            "this worker must have at least %.1f GB of memory for the weights and"
                                    + " gradients of %d ranks, but has %.1f",
                            required / BYTES_PER_GIGABYTE,
                            plan.division().ranks(),
                            memoryBytes / BYTES_PER_GIGABYTE),
                    null);
        }
    }

    private SimulationInputs inputs(Assignment.Simulation assignment) throws InterruptedException {
        TrainingPlan plan = assignment.plan();
        return switch (plan.execution()) {
            case Execution.Virtual virtual -> SimulationInputs.virtual(plan, virtual);
            case Execution.Replay _ -> {
                List<Replaying> ranks =
                        IntStream.range(0, plan.division().ranks())
                                .mapToObj(Replaying::new)
                                .toList();
                recordedOrders.read(assignment, order -> ranks.get(order.rank()).add(order));
                yield SimulationInputs.replay(ranks::get);
            }
            case Execution.Real _ ->
                    throw new IllegalArgumentException("a real run cannot be simulated");
        };
    }
}
