package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.gossip.FrameExchange;
import dev.equipoise.agent.gossip.Mixing;
import dev.equipoise.agent.gossip.NeighborExchange;
import dev.equipoise.agent.gossip.PushSumVector;
import dev.equipoise.agent.gossip.Schedule;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Partners;

/** Creates the gossip exchanges of a plan. */
record MixerFactory(RankContext context, Topology.Gossip gossip) {

    /** Creates a mixer for gradients or updates, with the plan's codec. */
    Mixer mixer(TrafficKind kind) {
        Compression compression = context.plan().method().compression();
        return compression instanceof Compression.None ? plain(kind) : coded(compression, kind);
    }

    private Mixer plain(TrafficKind kind) {
        return new PlainMixer(
                exchange(context.elements()),
                context.rank(),
                context.registry(),
                context.instruments(),
                kind);
    }

    private Mixer coded(Compression compression, TrafficKind kind) {
        var aggregators = new VectorAggregators(context, context.instruments(), Strand.MAIN);
        FrameCoder coder = aggregators.coder(compression);
        CodedMixer mixer =
                new CodedMixer(
                        new FrameExchange(
                                context.channel(),
                                schedule(),
                                mixing(),
                                aggregators.largestPayload(coder.codec()),
                                context.memory()),
                        coder,
                        context.rank(),
                        context.registry(),
                        context.instruments(),
                        kind);
        return (vector, gradientScale) -> {
            context.freezeTouchedRows();
            mixer.mix(vector, gradientScale);
        };
    }

    /** Creates an averager of weights; with a codec, it needs the copies of CHOCO-SGD. */
    WeightAverager weights() {
        Compression compression = context.plan().method().compression();
        return compression instanceof Compression.None
                ? new WeightGossip(plain(TrafficKind.WEIGHTS), context.instruments())
                : compressedChange(ChocoSgd.of(context, schedule(), mixing(), compression));
    }

    /**
     * A replica without samples changes by mixing alone. One step of the full learning rate takes
     * the place of its own steps, so that its neighbors follow it.
     */
    private WeightAverager compressedChange(WeightAverager averager) {
        double oneStep = context.plan().optimizer().learningRate();
        return (weights, aggregationWeight, gradientScale) ->
                averager.on(
                        weights, aggregationWeight, gradientScale > 0 ? gradientScale : oneStep);
    }

    Synchronizer pushSum(int period, ReplicaWeight weight) {
        var vector = new PushSumVector(context.elements(), context.memory());
        vector.begin(context.weights(), 1);
        return new PushSum(
                period,
                context.weights(),
                vector,
                context.stepper(vector.weighted()),
                weight,
                exchange(context.elements() + 1),
                context.rank(),
                context.registry(),
                context.instruments());
    }

    private NeighborExchange exchange(long elements) {
        return new NeighborExchange(
                context.channel(), schedule(), mixing(), elements, context.memory());
    }

    private Schedule schedule() {
        return switch (gossip.schedule()) {
            case Partners.Linear(boolean literalPairing) -> new Schedule.Linear(literalPairing);
            case Partners.Dissemination _ -> new Schedule.Dissemination();
            case Partners.Fixed(int distance) -> new Schedule.Fixed(distance);
            case Partners.RandomMatching _ -> new Schedule.RandomMatching(context.plan().seed());
        };
    }

    private Mixing mixing() {
        return switch (gossip.mixing()) {
            case UNIFORM -> new Mixing.Uniform();
            case METROPOLIS ->
                    new Mixing.Metropolis(
                            context.plan().division().shares().stream()
                                    .map(Integer::longValue)
                                    .toList());
            case PUSH_SUM -> new Mixing.PushSum();
        };
    }
}
