package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.order.EventOrder;
import dev.equipoise.agent.time.Background;
import dev.equipoise.agent.time.Pace;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Preempted;
import dev.equipoise.protocol.AgentEvent.Traced;
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
import org.jspecify.annotations.Nullable;

/** Trains the replicas of a plan, each on a thread of its own, as agents do. */
record TestingReplicas(
        DatasetSplit data,
        Supplier<Time> clocks,
        GoodWeights.Keeper keeper,
        IntFunction<@Nullable Resumption> resumptions,
        Map<Integer, Replica> working,
        Map<Integer, Parked> parked,
        Map<Integer, String> begun) {

    static final Backend BACKEND = Backends.load();

    TestingReplicas(DatasetSplit data, Supplier<Time> clocks) {
        this(data, clocks, (_, _) -> "kept");
    }

    TestingReplicas(DatasetSplit data, Supplier<Time> clocks, GoodWeights.Keeper keeper) {
        this(
                data,
                clocks,
                keeper,
                _ -> null,
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>());
    }

    /** The same, each of which goes on by, and may be stopped by, its checkpoints. */
    TestingReplicas with(IntFunction<@Nullable Checkpoints> others) {
        return resuming(rank -> {
            Checkpoints checkpoints = others.apply(rank);
            return checkpoints == null ? null : new Resumption(checkpoints);
        });
    }

    /** The same, each of which goes on with what it has in memory, or what others have. */
    TestingReplicas resuming(IntFunction<@Nullable Resumption> others) {
        return new TestingReplicas(
                data,
                clocks,
                keeper,
                others,
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>());
    }

    /** What one rank has told, and its weights at the end. */
    record Outcome(List<AgentEvent> events, List<Float> parameters) {

        List<EpochFinished> epochs() {
            return events.stream()
                    .filter(EpochFinished.class::isInstance)
                    .map(EpochFinished.class::cast)
                    .toList();
        }

        List<Traced> traces() {
            return events.stream()
                    .filter(Traced.class::isInstance)
                    .map(Traced.class::cast)
                    .toList();
        }
    }

    List<Outcome> train(TrainingPlan plan) throws InterruptedException {
        return start(plan, _ -> {}).stream().map(Future::resultNow).toList();
    }

    /** Returns when all have ended, each in its own way. */
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

    /** One rank; a failure closes its channel, as an agent's does. */
    Outcome train(TrainingPlan plan, Channel channel, Consumer<Network> change)
            throws InterruptedException {
        List<AgentEvent> events = new ArrayList<>();
        List<Float> parameters = train(plan, channel, change, events::add);
        return new Outcome(events, parameters);
    }

    /** The weights at the end. */
    List<Float> train(
            TrainingPlan plan,
            Channel channel,
            Consumer<Network> change,
            Consumer<AgentEvent> events)
            throws InterruptedException {
        Time time = clocks.get();
        var objective = new Objective(plan.loss(), data.targets());
        int batches = plan.division().counts().get(channel.rank());
        try (channel;
                Network network = Network.of(plan.network(), objective, BACKEND);
                Background background = new SystemBackground()) {
            network.initialise(plan.seed());
            network.dropoutFrom(plan.seed(), channel.rank());
            change.accept(network);
            Arena memory = Arena.ofAuto();
            try (SliceGradients slice =
                    SliceGradients.of(
                            plan, channel.rank(), data, BACKEND, network.parameters(), memory)) {
                var replica =
                        new Replica(
                                plan,
                                epoch -> Permutation.of(plan.seed(), epoch, plan.trainingSamples()),
                                new LocalLearner(
                                        Gradients.of(plan, network, data, memory),
                                        batches,
                                        _ -> new Pace(1, 1, time)),
                                slice == null
                                        ? null
                                        : new LocalSliceLearner(slice, _ -> new Pace(1, 1, time)),
                                channel,
                                background,
                                EventOrder.of(plan, channel.rank()),
                                time,
                                memory,
                                new GoodWeights(network.parameterCount(), memory, keeper),
                                resumptions.apply(channel.rank()));
                working.put(channel.rank(), replica);
                replica.resume();
                begun.put(channel.rank(), replica.ready().parameters());
                try {
                    AgentEvent last = replica.train(events);
                    if (last instanceof Preempted) {
                        events.accept(last);
                    }
                } catch (ChannelFailed e) {
                    Parked state = replica.park();
                    if (state == null) {
                        throw e;
                    }
                    parked.put(channel.rank(), state);
                }
            }
            return floats(network.parameters());
        }
    }

    static List<Float> floats(MemorySegment vector) {
        return vector.elements(JAVA_FLOAT).map(each -> each.get(JAVA_FLOAT, 0)).toList();
    }
}
