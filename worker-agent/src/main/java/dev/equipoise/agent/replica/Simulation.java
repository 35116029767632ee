package dev.equipoise.agent.replica;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.LinkSpeed;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Trains all replicas of a run in this process, on a clock that is not real. */
public final class Simulation {

    private static final double NANOS_PER_SECOND = 1e9;

    private final DatasetRegistry datasets;
    private final int threadsOfNetwork;
    private final Backend backend;
    private final LastWeights lastWeights;

    /**
     * @param threadsOfNetwork with which one network computes
     */
    public Simulation(
            DatasetRegistry datasets,
            int threadsOfNetwork,
            Backend backend,
            LastWeights lastWeights) {
        this.datasets = datasets;
        this.threadsOfNetwork = threadsOfNetwork;
        this.backend = backend;
        this.lastWeights = lastWeights;
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
        if (!(plan.execution() instanceof Execution.Virtual virtual)) {
            throw new IllegalArgumentException(
                    "a simulation is virtual, but this is " + plan.execution());
        }
        DatasetSplit data = PlanData.load(datasets, plan);
        LinkSpeed link = speed(virtual.link());
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / threadsOfNetwork);
        List<Network> networks = new ArrayList<>();
        try (Arena memory = Arena.ofShared();
                var cluster =
                        new VirtualCluster(plan.division().ranks(), (_, _) -> link, threads)) {
            for (int i = 0; i < threads; i++) {
                networks.add(Network.of(plan.network(), PlanData.objective(plan, data), backend));
            }
            List<Gradients> gradients =
                    networks.stream()
                            .map(network -> Gradients.of(plan, network, data, memory))
                            .toList();
            networks.getFirst().initialise(plan.seed());
            simulate(assignment, virtual, cluster, gradients, memory, events);
        } finally {
            networks.forEach(Network::close);
        }
    }

    private void simulate(
            Assignment.Simulation assignment,
            Execution.Virtual virtual,
            VirtualCluster cluster,
            List<Gradients> gradients,
            Arena memory,
            Consumer<AgentEvent> events)
            throws InterruptedException {
        TrainingPlan plan = assignment.plan();
        IntFunction<int[]> orders = new LastOrder(plan);
        List<Callable<Boolean>> bodies = new ArrayList<>();
        for (int rank = 0; rank < cluster.size(); rank++) {
            var learner =
                    new VirtualLearner(
                            cluster,
                            gradients,
                            rank,
                            plan.division().counts().get(rank),
                            computeTime(plan, virtual, rank),
                            plan.seed(),
                            memory);
            Channel channel = cluster.channel(rank);
            LinkLimits.hold(channel, plan.limits());
            int ofRank = rank;
            bodies.add(() -> {
                var replica =
                        new Replica(
                                plan,
                                orders,
                                learner,
                                channel,
                                cluster.background(ofRank),
                                cluster.time(ofRank),
                                memory,
                                (_, weights) -> lastWeights.keep(assignment.run(), weights));
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

    private static ComputeTime computeTime(TrainingPlan plan, Execution.Virtual virtual, int rank) {
        List<ComputeTime.Point> points =
                virtual.speed(rank).points().stream()
                        .map(point -> new ComputeTime.Point(point.size(), point.seconds()))
                        .toList();
        return new ComputeTime(
                points, plan.division().slowDowns().get(rank), virtual.jitter(), plan.seed());
    }

    private static LinkSpeed speed(Execution.Link link) {
        return new LinkSpeed(
                Math.round(link.latencyMicroseconds() * 1e3),
                NANOS_PER_SECOND / (link.megabytesPerSecond() * 1e6));
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
