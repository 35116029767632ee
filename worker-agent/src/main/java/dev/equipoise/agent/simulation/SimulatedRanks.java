package dev.equipoise.agent.simulation;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.synchronization.RankEnvironment;
import dev.equipoise.agent.training.LastFiniteWeights;
import dev.equipoise.agent.training.RankRunner;
import dev.equipoise.agent.training.SliceGradients;
import dev.equipoise.agent.training.SliceLearner;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.performance.cost.GradientReadiness;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Plays all ranks of a plan on a virtual cluster. */
final class SimulatedRanks {

    private final TrainingPlan plan;
    private final SimulationInputs inputs;
    private final VirtualCluster cluster;
    private final SimulatedNetworks networks;
    private final LastFiniteWeights finiteWeights;
    private final Consumer<RunReport> events;
    private final @Nullable ModelStore models;
    private final Arena memory;
    private final IntFunction<int[]> orders;

    /**
     * @param finiteWeights shared by all ranks
     * @param models null if no rank stores a model
     * @param memory must outlive this
     */
    SimulatedRanks(
            TrainingPlan plan,
            SimulationInputs inputs,
            VirtualCluster cluster,
            SimulatedNetworks networks,
            LastFiniteWeights finiteWeights,
            Consumer<RunReport> events,
            @Nullable ModelStore models,
            Arena memory) {
        this.plan = plan;
        this.inputs = inputs;
        this.cluster = cluster;
        this.networks = networks;
        this.finiteWeights = finiteWeights;
        this.events = events;
        this.models = models;
        this.memory = memory;
        this.orders = new LastOrder(plan);
    }

    /**
     * Trains to the end.
     *
     * @throws InterruptedException when the thread was interrupted
     */
    void play() throws InterruptedException {
        List<Callable<Boolean>> bodies =
                IntStream.range(0, cluster.size()).mapToObj(this::body).toList();
        try {
            cluster.run(bodies);
        } catch (RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the simulation was interrupted");
            }
            throw e;
        }
    }

    /** Creates what a rank holds, and returns its work. */
    private Callable<Boolean> body(int rank) {
        ComputeTime fullSpeed = inputs.computeTimes().apply(rank);
        IntFunction<ComputeTime> computeTimes =
                epoch -> fullSpeed.slowedDown(plan.division().slowDown(rank, epoch));
        var learner =
                new VirtualLearner(
                        cluster,
                        networks.gradients(),
                        rank,
                        plan.division().counts().get(rank),
                        computeTimes,
                        readiness(),
                        plan.seed(),
                        memory);
        SliceLearner slice = slice(rank, computeTimes);
        Channel channel = cluster.channel(rank);
        LinkLimits.shape(channel, plan.limits());
        return () -> {
            var environment =
                    new RankEnvironment(
                            channel,
                            cluster.time(rank),
                            cluster.background(rank),
                            inputs.orders().apply(rank));
            var runner =
                    new RankRunner(
                            plan, orders, learner, slice, environment, finiteWeights, memory);
            if (models != null) {
                runner.storeModels(models, null);
            }
            events.accept(runner.ready());
            runner.train(eventsOf(rank));
            return true;
        };
    }

    /** Returns the parts of a gradient that ranks exchange during the backward pass. */
    private List<GradientReadiness> readiness() {
        return plan.method().synchronization() instanceof Synchronization.Bsp bsp
                        && bsp.isOverlapped()
                ? GradientReadiness.of(plan.network())
                : List.of(new GradientReadiness(0, 1));
    }

    private @Nullable SliceLearner slice(int rank, IntFunction<ComputeTime> computeTimes) {
        SliceGradients slice = networks.slice(rank);
        return slice == null
                ? null
                : VirtualSliceLearner.of(plan, cluster, slice, rank, computeTimes);
    }

    /** Returns the listener of a rank: the rounds of one replica only are reported for all. */
    private Consumer<RunReport> eventsOf(int rank) {
        return rank == plan.method().topology().servers()
                ? events
                : event -> {
                    if (!(event instanceof RunReport.RoundReached)) {
                        events.accept(event);
                    }
                };
    }

    /**
     * Permutation of the latest epoch; ranks reach an epoch at about the same time and share it.
     */
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
