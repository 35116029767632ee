package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.gossip.FrameExchange;
import dev.equipoise.agent.gossip.Mixing;
import dev.equipoise.agent.gossip.NeighbourExchange;
import dev.equipoise.agent.gossip.PushSumVector;
import dev.equipoise.agent.gossip.Schedule;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Partners;

/** Makes what a rank exchanges with its neighbours by, as a plan asks for. */
record Neighbours(Participant participant, Topology.Gossip gossip) {

    /** For gradients and updates, which bear a codec. */
    Mixer mixer(Kind kind) {
        Compression compression = participant.plan().method().compression();
        return compression instanceof Compression.None ? plain(kind) : coded(compression, kind);
    }

    private Mixer plain(Kind kind) {
        return new PlainMixer(
                exchange(participant.elements()),
                participant.rank(),
                participant.remembered(),
                participant.instruments(),
                kind);
    }

    private Mixer coded(Compression compression, Kind kind) {
        var summations = new Summations(participant, participant.instruments(), Strand.MAIN);
        FrameCoder coding = summations.coding(compression);
        CodedMixer mixer =
                new CodedMixer(
                        new FrameExchange(
                                participant.channel(),
                                schedule(),
                                mixing(),
                                summations.largestPayload(coding.codec()),
                                participant.memory()),
                        coding,
                        participant.rank(),
                        participant.remembered(),
                        participant.instruments(),
                        kind);
        return vector -> {
            participant.words().turnOver();
            mixer.mix(vector);
        };
    }

    /** Weights bear a codec only where what the others know of them is kept. */
    Agreement weights() {
        Compression compression = participant.plan().method().compression();
        return compression instanceof Compression.None
                ? new WeightGossip(plain(Kind.WEIGHTS), participant.instruments())
                : Choco.of(participant, schedule(), mixing(), compression);
    }

    Synchronizer pushSum(int period, double stretch) {
        var vector = new PushSumVector(participant.elements(), participant.memory());
        vector.begin(participant.weights(), 1);
        return new PushSum(
                period,
                participant.weights(),
                vector,
                participant.stepper(vector.weighted()),
                stretch,
                exchange(participant.elements() + 1),
                participant.rank(),
                participant.remembered(),
                participant.instruments());
    }

    private NeighbourExchange exchange(long elements) {
        return new NeighbourExchange(
                participant.channel(), schedule(), mixing(), elements, participant.memory());
    }

    private Schedule schedule() {
        return switch (gossip.schedule()) {
            case Partners.Linear(boolean literalPairing) -> new Schedule.Linear(literalPairing);
            case Partners.Dissemination _ -> new Schedule.Dissemination();
            case Partners.Fixed(int distance) -> new Schedule.Fixed(distance);
            case Partners.RandomMatching _ ->
                    new Schedule.RandomMatching(participant.plan().seed());
        };
    }

    private Mixing mixing() {
        return switch (gossip.mixing()) {
            case UNIFORM -> new Mixing.Uniform();
            case METROPOLIS ->
                    new Mixing.Metropolis(
                            participant.plan().division().shares().stream()
                                    .map(Integer::longValue)
                                    .toList());
            case PUSH_SUM -> new Mixing.PushSum();
        };
    }
}
