package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.instrument.PhaseClock;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.synchronization.RankEnvironment;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome.Preempted;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.RunReport.Traced;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Trains the replicas of a plan like agents, each on its own thread. */
public record TestingReplicas(
        DatasetSplit data,
        Supplier<Time> clocks,
        LastFiniteWeights.Keeper keeper,
        IntFunction<@Nullable ResumeInstructions> instructions,
        IntFunction<UnaryOperator<Learner>> processors,
        IntFunction<Backend> backends,
        boolean compared,
        Map<Integer, RankRunner> working,
        Map<Integer, RetainedState> retained,
        Map<Integer, ReplicaReady> ready) {

    public static final Backend BACKEND = Backends.load();

    /** Creates replicas that never stop before the end. */
    public TestingReplicas(DatasetSplit data, Supplier<Time> clocks) {
        this(data, clocks, (_, _) -> "kept");
    }

    TestingReplicas(DatasetSplit data, Supplier<Time> clocks, LastFiniteWeights.Keeper keeper) {
        this(
                data,
                clocks,
                keeper,
                _ -> null,
                _ -> UnaryOperator.identity(),
                _ -> BACKEND,
                true,
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>());
    }

    /** Adds checkpoints, from which ranks resume and by which they may stop. */
    TestingReplicas with(IntFunction<@Nullable Checkpoints> others) {
        return resuming(rank -> {
            Checkpoints checkpoints = others.apply(rank);
            return checkpoints == null
                    ? null
                    : new ResumeInstructions(checkpoints, new SystemBackground());
        });
    }

    /** Adds instructions by which ranks continue with state in their own memory or from others. */
    TestingReplicas resuming(IntFunction<@Nullable ResumeInstructions> others) {
        return new TestingReplicas(
                data,
                clocks,
                keeper,
                others,
                processors,
                backends,
                compared,
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>());
    }

    /** Gives a rank a processor that rounds otherwise than those of the others. */
    TestingReplicas roundingOtherwiseOn(int odd) {
        return new TestingReplicas(
                data,
                clocks,
                keeper,
                instructions,
                rank -> rank == odd ? OddProcessor::new : UnaryOperator.identity(),
                backends,
                compared,
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>());
    }

    /** Gives each rank a backend. */
    TestingReplicas computingOn(IntFunction<Backend> others) {
        return new TestingReplicas(
                data,
                clocks,
                keeper,
                instructions,
                processors,
                others,
                compared,
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>());
    }

    /** Makes replicas exchange no checksums, as agents before protocol 0.2 do. */
    TestingReplicas withoutComparison() {
        return new TestingReplicas(
                data,
                clocks,
                keeper,
                instructions,
                processors,
                backends,
                false,
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>());
    }

    /** Returns the checksum of the weights with which each rank began. */
    Map<Integer, String> begun() {
        return ready.values().stream()
                .collect(Collectors.toMap(ReplicaReady::rank, ReplicaReady::parameters));
    }

    /** Events of one rank, and its final weights. */
    public record Outcome(List<RunReport> events, List<Float> parameters) {

        public List<EpochFinished> epochs() {
            return events.stream()
                    .filter(EpochFinished.class::isInstance)
                    .map(EpochFinished.class::cast)
                    .toList();
        }

        public List<Traced> traces() {
            return events.stream()
                    .filter(Traced.class::isInstance)
                    .map(Traced.class::cast)
                    .toList();
        }
    }

    /** Trains all ranks to the end. */
    public List<Outcome> train(TrainingPlan plan) throws InterruptedException {
        return start(plan, _ -> {}).stream().map(Future::resultNow).toList();
    }

    /** Starts all ranks, and returns when all have ended, successful or not. */
    List<Future<Outcome>> start(TrainingPlan plan, Consumer<Network> change)
            throws InterruptedException {
        List<Future<Outcome>> ranks = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        for (Channel channel : MemoryChannel.join(plan.division().ranks())) {
            ranks.add(threads.submit(() -> train(plan, channel, change)));
        }
        threads.shutdown();
        if (!threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)) {
            threads.shutdownNow();
            throw new AssertionError("the ranks do not end: " + ranks);
        }
        return ranks;
    }

    /** Trains one rank; a failure closes its channel, like that of an agent. */
    Outcome train(TrainingPlan plan, Channel channel, Consumer<Network> change)
            throws InterruptedException {
        List<RunReport> events = new ArrayList<>();
        List<Float> parameters = train(plan, channel, change, events::add);
        return new Outcome(events, parameters);
    }

    /** Trains one rank and returns its final weights. */
    List<Float> train(
            TrainingPlan plan,
            Channel channel,
            Consumer<Network> change,
            Consumer<RunReport> events)
            throws InterruptedException {
        Time time = clocks.get();
        var objective = new Objective(plan.loss(), data.targets());
        int batches = plan.division().counts().get(channel.rank());
        Backend backend = backends.apply(channel.rank());
        try (channel;
                Network network = Network.of(plan.network(), objective, backend);
                BackgroundThread background = new SystemBackground()) {
            network.initialize(plan.seed());
            network.dropoutFrom(plan.seed(), channel.rank());
            change.accept(network);
            Arena memory = Arena.ofAuto();
            try (SliceGradients slice =
                    SliceGradients.of(
                            plan, channel.rank(), data, backend, network.parameters(), memory)) {
                var runner =
                        new RankRunner(
                                plan,
                                epoch -> Permutation.of(plan.seed(), epoch, plan.trainingSamples()),
                                processors
                                        .apply(channel.rank())
                                        .apply(
                                                new LocalLearner(
                                                        Gradients.of(plan, network, data, memory),
                                                        batches,
                                                        _ -> new Throttle(1, 1, time))),
                                slice == null
                                        ? null
                                        : new LocalSliceLearner(
                                                slice, _ -> new Throttle(1, 1, time)),
                                new RankEnvironment(
                                        channel,
                                        time,
                                        background,
                                        ExecutionOrder.of(plan, channel.rank())),
                                new LastFiniteWeights(network.parameterCount(), memory, keeper),
                                instructions.apply(channel.rank()),
                                PhaseClock.start(time),
                                memory);
                working.put(channel.rank(), runner);
                if (!compared) {
                    runner.skipComparisons();
                }
                runner.resume();
                ready.put(channel.rank(), runner.ready());
                try {
                    if (runner.train(events) instanceof Preempted preempted) {
                        events.accept(preempted);
                    }
                } catch (ChannelFailed e) {
                    RetainedState state = runner.retain();
                    if (state == null) {
                        throw e;
                    }
                    retained.put(channel.rank(), state);
                }
            }
            return floats(network.parameters());
        }
    }

    public static List<Float> floats(MemorySegment vector) {
        return vector.elements(JAVA_FLOAT).map(each -> each.get(JAVA_FLOAT, 0)).toList();
    }
}
