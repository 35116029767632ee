package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Topology;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/** Creates the synchronizer of a plan. */
public final class Synchronizers {

    private final RankContext context;
    private final VectorAggregators aggregators;
    private final AggregationWeights aggregationWeights;

    private Synchronizers(RankContext context) {
        this.context = context;
        this.aggregators = new VectorAggregators(context, context.instruments(), Strand.MAIN);
        this.aggregationWeights =
                new AggregationWeights(context.plan(), context.shards(), context.rank());
    }

    /**
     * Creates the synchronizer of a replica; all ranks do so at the same time.
     *
     * @throws IllegalArgumentException when the settings of the plan do not fit together
     */
    public static Synchronizer of(RankContext context) {
        return new Synchronizers(context).make();
    }

    private Synchronizer make() {
        RemoteParameters servers = aggregators.servers();
        if (servers == null) {
            return makeRounds();
        }
        return isOnArrival()
                ? onArrival(servers)
                : new ServedRounds(makeRounds(), servers, context.instruments());
    }

    private boolean isOnArrival() {
        Synchronization synchronization = context.plan().method().synchronization();
        return synchronization instanceof Synchronization.Async
                || synchronization instanceof Synchronization.StaleSynchronous;
    }

    private Synchronizer onArrival(RemoteParameters remote) {
        var topology = (Topology.ParameterServer) context.plan().method().topology();
        var servers = new ServerConfigurations(context, topology);
        return new ServedOnArrival(
                remote,
                new ServerWeightGather(
                        new Broadcast(context.channel(), context.memory()),
                        servers.configuration().sharding(),
                        context.weights()),
                context.weights(),
                context.plan(),
                servers.correction(),
                servers.greatestStaleness(),
                context::freezeTouchedRows,
                context.registry(),
                context.instruments());
    }

    private Synchronizer makeRounds() {
        return switch (context.plan().method().synchronization()) {
            case Synchronization.Bsp settings -> bsp(settings);
            case Synchronization.LocalSgd settings -> localSgd(settings);
            case Synchronization.DiLoCo settings -> diLoCo(settings);
            case Synchronization.Async settings ->
                    settings.isQueued() ? queued(settings) : async(settings);
            case Synchronization.AdPsgd _ -> adPsgd();
            case Synchronization.StaleSynchronous settings ->
                    throw new IllegalArgumentException(settings + " needs a parameter server");
        };
    }

    private Synchronizer bsp(Synchronization.Bsp settings) {
        return settings.isOverlapped()
                ? new OverlappedBsp(
                        aggregators.buckets(context.order().of(Strand.BACKGROUND)),
                        context.background(),
                        stepper(),
                        aggregationWeights,
                        aggregators.partners(),
                        context.time(),
                        context.registry(),
                        context.instruments())
                : new Bsp(
                        stepper(),
                        settings.hasBuckets() ? bucketAggregator() : coded(),
                        aggregationWeights,
                        context.registry(),
                        context.instruments());
    }

    private VectorAggregator bucketAggregator() {
        return new BucketAggregator(
                aggregators.buckets(context.order().of(Strand.MAIN)),
                aggregators.partners(),
                context.instruments());
    }

    private Synchronizer localSgd(Synchronization.LocalSgd settings) {
        return switch (context.plan().method().topology()) {
            case Topology.Gossip gossip -> gossip(settings, gossip);
            case Topology.AllReduce _, Topology.ParameterServer _ ->
                    localSgd(settings, aggregationWeights.bySamples(), meanOfWeights());
        };
    }

    private Synchronizer localSgd(
            Synchronization.LocalSgd settings, ReplicaWeight weight, WeightAverager averager) {
        WeightAverager stateAverager =
                settings.momentum() == Momentum.AVERAGE
                        ? plainMean()
                        : (_, _, _) -> {
                            throw new IllegalStateException(
                                    "the plan does not average optimizer state");
                        };
        return new LocalSgd(
                settings,
                context.weights(),
                stepper(),
                weight,
                averager,
                stateAverager,
                aggregationWeights,
                context.registry(),
                context.instruments());
    }

    private WeightAverager meanOfWeights() {
        return context.plan().method().compression() instanceof Compression.None
                ? plainMean()
                : new UpdateMean(coded(), context.instruments(), anchor());
    }

    private WeightAverager plainMean() {
        return new WeightMean(aggregators.plain(TrafficKind.WEIGHTS), context.instruments());
    }

    private Synchronizer diLoCo(Synchronization.DiLoCo settings) {
        Anchor anchor = anchor();
        var outer =
                new OptimizerSpec.Sgd(
                        settings.outerLearningRate(),
                        settings.outerMomentum(),
                        settings.outerMomentum() > 0,
                        new Schedule.Constant(0),
                        new Clipping.None());
        return new DiLoCo(
                settings.period(),
                context.weights(),
                stepper(),
                context.registered(
                        new Stepper(Optimizer.of(outer, 1, 1), anchor.weights(), context.memory())),
                anchor,
                coded(),
                aggregationWeights,
                context.registry(),
                context.instruments());
    }

    private Synchronizer gossip(Synchronization.LocalSgd settings, Topology.Gossip gossip) {
        var mixers = new MixerFactory(context, gossip);
        ReplicaWeight weight =
                gossip.mixing() == Topology.Mixing.METROPOLIS
                        ? aggregationWeights.byShares()
                        : aggregationWeights.equalWeights();
        if (gossip.mixing() == Topology.Mixing.PUSH_SUM) {
            return mixers.pushSum(settings.period(), weight);
        }
        if (gossip.payload() == Topology.Payload.GRADIENT) {
            return new GradientGossip(
                    settings.period(),
                    stepper(),
                    weight,
                    mixers.mixer(TrafficKind.GRADIENT),
                    context.vector(),
                    context.weights(),
                    globalMean(gossip),
                    context.registry(),
                    context.instruments());
        }
        WeightAverager averager = averager(gossip, mixers);
        return localSgd(
                settings,
                weight,
                globalMean(gossip)
                        .<WeightAverager>map(mean -> new GlobalAverage(averager, mean))
                        .orElse(averager));
    }

    private WeightAverager averager(Topology.Gossip gossip, MixerFactory mixers) {
        return gossip.payload() == Topology.Payload.WEIGHTS
                ? mixers.weights()
                : new UpdateGossip(
                        mixers.mixer(TrafficKind.GRADIENT), context.instruments(), anchor());
    }

    private Optional<GlobalMean> globalMean(Topology.Gossip gossip) {
        return gossip.globalAverageEvery() == 0
                ? Optional.empty()
                : Optional.of(
                        new GlobalMean(
                                plainMean(),
                                limitWeight(gossip),
                                gossip.globalAverageEvery(),
                                context.registry()));
    }

    /** Returns the weight of the gossip's limit: by samples with Metropolis weights, else equal. */
    private double limitWeight(Topology.Gossip gossip) {
        return gossip.mixing() == Topology.Mixing.METROPOLIS
                ? aggregationWeights.ofEpoch()
                : aggregationWeights.equal();
    }

    private Synchronizer async(Synchronization.Async settings) {
        Instruments background = context.instrumentsOfBackground();
        var inBackground = new VectorAggregators(context, background, Strand.BACKGROUND);
        Integer bound = settings.maxStaleness();
        if (bound == null) {
            throw new IllegalArgumentException(
                    "asynchronous SGD over an all-reduce needs maxStaleness");
        }
        return new BackgroundAllReduce(
                new WeightedContributions(
                        context.plan().loss().reduction(),
                        settings.weighting(),
                        context.channel().size(),
                        inBackground.figures(WeightedContributions.FIGURES),
                        inBackground.coded(TrafficKind.GRADIENT),
                        background,
                        context::freezeTouchedRows,
                        context.vector(),
                        context.memory()),
                context.background(),
                stepper(),
                context.instruments(),
                context.order().of(Strand.MAIN),
                context.plan().division().counts().get(context.rank()),
                bound,
                context.schedulePosition(context.plan().division().rounds()),
                context::vector);
    }

    private Synchronizer queued(Synchronization.Async settings) {
        Instruments background = context.instrumentsOfBackground();
        var inBackground = new VectorAggregators(context, background, Strand.BACKGROUND);
        return new QueuedAllReduce(
                        new QueuedSums(
                                inBackground.coded(TrafficKind.GRADIENT),
                                settings.isOwnAtOnce(),
                                background,
                                context::vector),
                        aggregationWeights,
                        context.background(),
                        stepper(),
                        context.instruments(),
                        context.order().of(Strand.MAIN),
                        new QueuedAllReduce.QueueSettings(
                                settings.weighting(),
                                Objects.requireNonNullElse(settings.inFlight(), 1),
                                settings.isOwnAtOnce(),
                                context.plan().division().counts().get(context.rank())),
                        settings.isOwnAtOnce() ? context.vector() : MemorySegment.NULL)
                .register(context.registry());
    }

    private Synchronizer adPsgd() {
        MemorySegment weights = context.vector().copyFrom(context.weights());
        context.registry().vector(weights);
        var shared = new SharedWeights(weights, context.background().newLock());
        Instruments background = context.instrumentsOfBackground();
        ChoiceSource inBackground = context.order().of(Strand.BACKGROUND);
        PairwiseAveraging averaging =
                context.rank() % 2 == 0
                        ? new ActivePairwiseAveraging(
                                context.channel(),
                                shared,
                                background,
                                inBackground,
                                context.plan().seed(),
                                context.vector(),
                                context.vector(),
                                context.memory())
                        : new PassivePairwiseAveraging(
                                context.channel(),
                                shared,
                                background,
                                inBackground,
                                context.vector(),
                                context.memory());
        context.registry().number(averaging::drawn, averaging::resumeAfter);
        return new AdPsgd(
                averaging,
                shared,
                context.background(),
                context.stepper(weights),
                aggregationWeights.equalWeights(),
                context.plan().division().rounds(),
                context.weights(),
                context.instruments(),
                context.order().of(Strand.MAIN));
    }

    /** Returns an aggregator of gradients, which freezes the rows touched so far. */
    private VectorAggregator coded() {
        VectorAggregator aggregator = aggregators.coded(TrafficKind.GRADIENT);
        return (vector, factor, gradientScale) -> {
            context.freezeTouchedRows();
            return aggregator.of(vector, factor, gradientScale);
        };
    }

    private Stepper stepper() {
        return context.stepper(context.weights());
    }

    private Anchor anchor() {
        MemorySegment weights = context.vector().copyFrom(context.weights());
        context.registry().vector(weights);
        return new Anchor(weights, context.vector());
    }
}
