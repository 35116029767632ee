package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.PowerSgd;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FrameGather;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Makes sums over all replicas, by the links and the codec that a plan asks for. */
final class Summations {

    private final Participant participant;
    private final Instruments instruments;
    private final Decisions decisions;
    private final @Nullable RemoteParameters servers;

    /**
     * @param instruments of the thread that sums
     * @param strand that thread
     */
    Summations(Participant participant, Instruments instruments, Strand strand) {
        this.participant = participant;
        this.instruments = instruments;
        this.decisions = participant.order().of(strand);
        this.servers =
                participant.plan().method().topology() instanceof Topology.ParameterServer topology
                        ? remote(participant, topology)
                        : null;
    }

    private static RemoteParameters remote(
            Participant participant, Topology.ParameterServer topology) {
        var remote =
                new RemoteParameters(
                        participant.channel(),
                        new Servers(participant, topology).terms(),
                        participant.memory());
        remote.remembered(participant.remembered());
        return remote;
    }

    /** The servers that sum, of which there is one way to speak to; null where there are none. */
    @Nullable RemoteParameters servers() {
        return servers;
    }

    /** In the plan's codec; for vectors that bear one. */
    Summation coded(Kind kind) {
        if (servers != null) {
            return atServers(servers, kind);
        }
        return switch (participant.plan().method().compression()) {
            case Compression.None _ -> plain(kind);
            case Compression.PowerSgd(int rank) -> lowRank(rank, kind);
            case Compression.RandomK randomK -> linear(randomK, kind);
            case Compression.SampledRows rows -> ofUnion(linear(rows, kind));
            case Compression compression -> gathered(compression, kind);
        };
    }

    /** In float32. */
    Summation plain(Kind kind) {
        if (servers != null) {
            return atServers(servers, kind);
        }
        return participant.isAlone()
                ? alone()
                : new PlainSum(allReduce(), instruments, kind, participant.vector());
    }

    private Summation atServers(RemoteParameters summing, Kind kind) {
        return new ServerSum(
                summing,
                participant.replicas(),
                instruments,
                kind,
                participant.vector(),
                participant.vector());
    }

    private Summation alone() {
        MemorySegment sum = participant.vector();
        FloatScale scale = FloatScale.fastest();
        return (vector, factor) -> {
            PlainSum.scaled(scale, vector, factor, sum);
            return sum;
        };
    }

    private Summation lowRank(int rank, Kind kind) {
        var powerSgd =
                new PowerSgd(Codecs.parts(participant.blocks()), rank, participant.plan().seed());
        return new LowRankSum(
                powerSgd,
                allReduce(),
                participant.replicas().size(),
                instruments,
                kind,
                participant.vector(),
                participant.vector(),
                participant.remembered(),
                participant.memory());
    }

    /** All must send the same rows: those of the words of all. */
    private Summation ofUnion(Summation linear) {
        var words =
                new WordsOfAll(
                        participant.words(),
                        new FrameGather(
                                participant.channel(),
                                participant.words().mostBytes(),
                                participant.memory()),
                        participant.channel().size(),
                        instruments);
        return (vector, factor) -> {
            words.gather();
            return linear.of(vector, factor);
        };
    }

    private Summation linear(Compression compression, Kind kind) {
        FrameCoder coding = coding(compression);
        return new LinearSum(
                allReduce(),
                coding,
                participant.rank(),
                instruments,
                kind,
                participant.memory().allocate(largestPayload(coding.codec()), Float.BYTES),
                participant.vector());
    }

    private Summation gathered(Compression compression, Kind kind) {
        FrameCoder coding = coding(compression);
        return new GatheredSum(
                new FrameGather(
                        participant.channel(),
                        largestPayload(coding.codec()),
                        participant.memory()),
                coding,
                participant.channel().size(),
                instruments,
                kind,
                participant.vector());
    }

    /** A codec of this rank's own, with a residual where one is kept. */
    FrameCoder coding(Compression compression) {
        return coding(compression, compression.errorFeedback());
    }

    /** A codec of this rank's own, for who keeps in another way what is left out. */
    FrameCoder codingWithoutFeedback(Compression compression) {
        return coding(compression, false);
    }

    private FrameCoder coding(Compression compression, boolean keeps) {
        return new FrameCoder(
                        Codecs.of(compression, participant),
                        keeps,
                        participant.plan().seed(),
                        participant.rank(),
                        Math.toIntExact(participant.elements()),
                        participant.memory())
                .remembered(participant.remembered());
    }

    long largestPayload(Codec codec) {
        return codec.largestPayload(Math.toIntExact(participant.elements()));
    }

    /** Of a few figures, however the vectors travel. */
    AllReduce figures(int count) {
        return AllReduces.of(
                Algorithm.RECURSIVE_DOUBLING,
                participant.channel(),
                count,
                participant.time(),
                decisions,
                participant.memory());
    }

    private AllReduce allReduce() {
        return switch (participant.plan().method().topology()) {
            case Topology.AllReduce(var _, var order) when order == Topology.Order.BY_LINK ->
                    byLink();
            case Topology.AllReduce(var algorithm, var _) -> allReduce(algorithm);
            case Topology.Gossip _ -> allReduce(Algorithm.RING);
            case Topology.ParameterServer _ ->
                    throw new IllegalArgumentException("servers sum by themselves");
        };
    }

    private AllReduce allReduce(Algorithm algorithm) {
        return AllReduces.of(
                algorithm,
                participant.channel(),
                participant.elements(),
                participant.time(),
                decisions,
                participant.memory());
    }

    /** For the chunks that go round. */
    private AllReduce byLink() {
        int ranks = participant.channel().size();
        long chunk = participant.elements() * JAVA_FLOAT.byteSize() / ranks;
        return new RingAllReduce(
                participant.channel(),
                LinkMatrix.of(ranks, participant.plan().links()).ringOrder(chunk),
                participant.memory());
    }
}
