package dev.equipoise.agent.replica;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.order.OrderImpossible;
import dev.equipoise.agent.order.RecordedOrders;
import dev.equipoise.agent.order.Replaying;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Trains all replicas of a run in this process, on a clock that is not real. */
public final class Simulation {

    private final DatasetRegistry datasets;

    /** Weights, a gradient, and what gradients are summed in: there is no method with fewer. */
    private static final int LEAST_VECTORS = 3;

    private static final double BYTES_PER_GIGABYTE = 1e9;

    private final int threadsOfNetwork;
    private final long memoryBytes;
    private final Backend backend;
    private final LastWeights lastWeights;
    private final RecordedOrders recordedOrders;

    /**
     * @param threadsOfNetwork with which one network computes
     * @param memoryBytes of this machine
     */
    public Simulation(
            DatasetRegistry datasets,
            int threadsOfNetwork,
            long memoryBytes,
            Backend backend,
            LastWeights lastWeights,
            RecordedOrders recordedOrders) {
        this.datasets = datasets;
        this.threadsOfNetwork = threadsOfNetwork;
        this.memoryBytes = memoryBytes;
        this.backend = backend;
        this.lastWeights = lastWeights;
        this.recordedOrders = recordedOrders;
    }

    /**
     * Trains to the end.
     *
     * @throws AssignmentFailed when that is not possible
     * @throws InterruptedException when the thread was interrupted
     */
    public void run(Assignment.Simulation assignment, Consumer<AgentEvent> events)
            throws InterruptedException {
        TrainingPlan plan = assignment.plan();
        requireMemory(plan);
        Setting setting = setting(assignment);
        DatasetSplit data = PlanData.load(datasets, plan);
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / threadsOfNetwork);
        List<Network> networks = new ArrayList<>();
        List<SliceGradients> slices = new ArrayList<>();
        try (Arena memory = Arena.ofShared();
                var cluster =
                        new VirtualCluster(plan.division().ranks(), setting.links(), threads)) {
            for (int i = 0; i < threads; i++) {
                networks.add(Network.of(plan.network(), PlanData.objective(plan, data), backend));
            }
            List<Gradients> gradients =
                    networks.stream()
                            .map(network -> Gradients.of(plan, network, data, memory))
                            .toList();
            networks.getFirst().initialise(plan.seed());
            cut(plan, networks.getFirst().parameters(), data, memory, slices);
            simulate(assignment, setting, cluster, gradients, slices, memory, events);
        } catch (OrderImpossible e) {
            throw AssignmentFailed.byUser("order-impossible", String.valueOf(e.getMessage()), e);
        } finally {
            networks.forEach(Network::close);
            slices.forEach(SliceGradients::close);
        }
    }

    /** One slice a rank, where ranks share hidden units; each is added once it is made. */
    private void cut(
            TrainingPlan plan,
            MemorySegment weights,
            DatasetSplit data,
            Arena memory,
            List<SliceGradients> slices) {
        for (int rank = 0; rank < plan.division().ranks(); rank++) {
            SliceGradients slice = SliceGradients.of(plan, rank, data, backend, weights, memory);
            if (slice != null) {
                slices.add(slice);
            }
        }
    }

    /** More than there is would not be refused by the system, which ends the process later. */
    private void requireMemory(TrainingPlan plan) {
        long vector = (long) plan.network().parameterCount() * Float.BYTES;
        long least = plan.division().ranks() * vector * LEAST_VECTORS;
        if (least > memoryBytes) {
            throw AssignmentFailed.byWorker(
                    "out-of-memory",
                    String.format(
                            Locale.ROOT,
                            "this worker must have at least %.1f GB of memory for the weights and"
                                    + " gradients of %d ranks, but has %.1f",
                            least / BYTES_PER_GIGABYTE,
                            plan.division().ranks(),
                            memoryBytes / BYTES_PER_GIGABYTE),
                    null);
        }
    }

    private Setting setting(Assignment.Simulation assignment) throws InterruptedException {
        TrainingPlan plan = assignment.plan();
        return switch (plan.execution()) {
            case Execution.Virtual virtual -> Setting.virtual(plan, virtual);
            case Execution.Replay _ -> {
                List<Replaying> ranks =
                        IntStream.range(0, plan.division().ranks())
                                .mapToObj(Replaying::new)
                                .toList();
                recordedOrders.read(assignment, told -> ranks.get(told.rank()).add(told));
                yield Setting.replay(ranks::get);
            }
            case Execution.Real _ ->
                    throw new IllegalArgumentException("a real run is no simulation");
        };
    }

    private void simulate(
            Assignment.Simulation assignment,
            Setting setting,
            VirtualCluster cluster,
            List<Gradients> gradients,
            List<SliceGradients> slices,
            Arena memory,
            Consumer<AgentEvent> events)
            throws InterruptedException {
        TrainingPlan plan = assignment.plan();
        IntFunction<int[]> orders = new LastOrder(plan);
        var goodWeights =
                new GoodWeights(
                        gradients.getFirst().network().parameterCount(),
                        memory,
                        (_, weights) -> lastWeights.keep(assignment.run(), weights));
        List<Callable<Boolean>> bodies = new ArrayList<>();
        for (int rank = 0; rank < cluster.size(); rank++) {
            int ofRank = rank;
            ComputeTime fullSpeed = setting.computeTimes().apply(rank);
            IntFunction<ComputeTime> computeTimes =
                    epoch -> fullSpeed.slowedDown(plan.division().slowDown(ofRank, epoch));
            var learner =
                    new VirtualLearner(
                            cluster,
                            gradients,
                            rank,
                            plan.division().counts().get(rank),
                            computeTimes,
                            plan.seed(),
                            memory);
            SliceLearner slice =
                    slices.isEmpty()
                            ? null
                            : VirtualSliceLearner.of(
                                    plan, cluster, slices.get(rank), rank, computeTimes);
            Channel channel = cluster.channel(rank);
            LinkLimits.hold(channel, plan.limits());
            bodies.add(() -> {
                var replica =
                        new Replica(
                                plan,
                                orders,
                                learner,
                                slice,
                                channel,
                                cluster.background(ofRank),
                                setting.orders().apply(ofRank),
                                cluster.time(ofRank),
                                memory,
                                goodWeights,
                                null);
                events.accept(replica.ready());
                replica.train(thinned(events, ofRank, plan));
                return true;
            });
        }
        run(cluster, bodies);
    }

    private static void run(VirtualCluster cluster, List<Callable<Boolean>> bodies)
            throws InterruptedException {
        try {
            cluster.run(bodies);
        } catch (RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the simulation was interrupted");
            }
            throw e;
        }
    }

    /** Of the rounds, those of one replica stand for all. */
    private static Consumer<AgentEvent> thinned(
            Consumer<AgentEvent> events, int rank, TrainingPlan plan) {
        return rank == plan.method().topology().servers()
                ? events
                : event -> {
                    if (!(event instanceof AgentEvent.RoundReached)) {
                        events.accept(event);
                    }
                };
    }

    /** The same order for all ranks, who come to an epoch at about the same time. */
    private static final class LastOrder implements IntFunction<int[]> {

        private final TrainingPlan plan;
        private int epoch;
        private int[] order = {};

        LastOrder(TrainingPlan plan) {
            this.plan = plan;
        }

        @Override
        public int[] apply(int wanted) {
            if (wanted != epoch) {
                order = Permutation.of(plan.seed(), wanted, plan.trainingSamples());
                epoch = wanted;
            }
            return order;
        }
    }
}
