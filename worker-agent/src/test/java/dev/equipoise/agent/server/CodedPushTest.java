package dev.equipoise.agent.server;

import static dev.equipoise.agent.server.TestingServers.ADDITION;
import static dev.equipoise.agent.server.TestingServers.add;
import static dev.equipoise.agent.server.TestingServers.integers;
import static dev.equipoise.agent.server.TestingServers.random;
import static dev.equipoise.agent.server.TestingServers.receive;
import static dev.equipoise.agent.server.TestingServers.run;
import static dev.equipoise.agent.server.TestingServers.send;
import static dev.equipoise.agent.server.TestingServers.server;
import static dev.equipoise.agent.server.TestingServers.slice;
import static dev.equipoise.agent.server.TestingServers.weights;
import static dev.equipoise.agent.server.TestingServers.zeros;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.AllocationTrials;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.CodecRandom;
import dev.equipoise.agent.codec.FrameCorrupt;
import dev.equipoise.agent.codec.Residual;
import dev.equipoise.agent.codec.RowSampledMatrix;
import dev.equipoise.agent.codec.RowSelection;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.PipelineSegments;
import dev.equipoise.agent.server.Message.Kind;
import dev.equipoise.agent.server.Mode.Aggregate;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(Patience.SECONDS)
class CodedPushTest {

    private static final List<Long> LAYERS = List.of(400L, 3L, 50_000L, 0L, 5000L, 40_000L);
    private static final int LENGTH = 95_403;
    private static final int ROUNDS = 5;
    private static final long SEED = 42;

    /** One codec of each kind, also for the empty layer; biased and random ones. */
    private static Codec mixed(int shard) {
        return switch (shard) {
            case 0 -> Codec.threshold(0.5f);
            case 1 -> Codec.topK(0.5);
            case 2 ->
                    Codec.sampledRows(
                            List.of(
                                    RowSampledMatrix.byRows(
                                            500, 100, RowSelection.sampledBehind(7, 0.1))));
            case 3 -> Codec.sign();
            case 4 -> Codec.qsgd(8, 64);
            default -> Codec.randomK(0.1, false);
        };
    }

    private static ServerConfiguration configuration(
            int servers, int replicas, Mode mode, boolean errorFeedback) {
        return configuration(servers, replicas, mode, CodedPushTest::mixed, errorFeedback);
    }

    private static ServerConfiguration configuration(
            int servers,
            int replicas,
            Mode mode,
            IntFunction<Codec> codecs,
            boolean errorFeedback) {
        return new ServerConfiguration(
                new Roles(servers, servers + replicas),
                Sharding.byLayers(LAYERS, servers),
                mode,
                Optional.of(new GradientCoding(codecs, errorFeedback, SEED)));
    }

    /** Returns the decoded vector of an encoded gradient. */
    private static MemorySegment decoded(
            Sharding sharding, MemorySegment gradient, int rank, long round) {
        MemorySegment decoded = zeros(LENGTH);
        var codecRandom = new CodecRandom(SEED, rank, round);
        for (Shard shard : sharding.shards()) {
            Codec codec = mixed(shard.index());
            MemorySegment buffer =
                    Arena.ofAuto().allocate(codec.largestPayload((int) shard.elements()));
            codec.decode(
                    codec.encode(slice(gradient, shard), codecRandom, buffer),
                    codecRandom,
                    slice(decoded, shard));
        }
        return decoded;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void onArrivalAServerAppliesTheDecodedFrame(int servers) {
        ServerConfiguration configuration =
                configuration(servers, 1, new Mode.Asynchronous(), false);
        MemorySegment pulled = zeros(LENGTH);
        Map<Integer, ParameterServer> all =
                run(
                        configuration,
                        (_, parameters) -> {
                            for (int round = 0; round < ROUNDS; round++) {
                                parameters.pull(pulled);
                                parameters.push(random(LENGTH, round));
                            }
                            parameters.pull(pulled);
                        });

        MemorySegment expected = zeros(LENGTH);
        for (int round = 0; round < ROUNDS; round++) {
            add(decoded(configuration.sharding(), random(LENGTH, round), servers, round), expected);
        }
        assertThat(pulled.mismatch(expected)).isEqualTo(-1);
        assertThat(weights(configuration.sharding(), all).mismatch(expected)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void inRoundsAServerSumsDecodedFramesInRankOrder(int servers) {
        ServerConfiguration configuration =
                configuration(servers, 3, new Mode.Synchronous(Aggregate.SUM), false);
        Map<Integer, MemorySegment> answers = new ConcurrentHashMap<>();
        run(
                configuration,
                (channel, parameters) -> {
                    MemorySegment weights = zeros(LENGTH);
                    for (int round = 0; round < ROUNDS; round++) {
                        parameters.exchange(gradient(channel.rank(), round), weights);
                    }
                    answers.put(channel.rank(), weights);
                });

        MemorySegment expected = zeros(LENGTH);
        for (int round = 0; round < ROUNDS; round++) {
            MemorySegment sum = decodedOf(configuration, servers, round);
            add(decodedOf(configuration, servers + 1, round), sum);
            add(decodedOf(configuration, servers + 2, round), sum);
            add(sum, expected);
        }
        assertThat(answers.values())
                .hasSize(3)
                .allMatch(weights -> weights.mismatch(expected) == -1);
    }

    private static MemorySegment gradient(int rank, int round) {
        return random(LENGTH, 10L * round + rank);
    }

    private static MemorySegment decodedOf(ServerConfiguration configuration, int rank, int round) {
        return decoded(configuration.sharding(), gradient(rank, round), rank, round);
    }

    @Test
    void errorFeedbackKeepsTheWholeError() {
        ServerConfiguration configuration =
                configuration(2, 3, new Mode.Asynchronous(), _ -> Codec.topK(0.01), true);
        Map<Integer, MemorySegment> residuals = new ConcurrentHashMap<>();
        Map<Integer, ParameterServer> servers =
                run(
                        configuration,
                        (channel, parameters) -> {
                            for (int round = 0; round < ROUNDS; round++) {
                                parameters.push(integers(LENGTH, 10L * round + channel.rank()));
                            }
                            residuals.put(
                                    channel.rank(), residual(configuration.sharding(), parameters));
                        });

        MemorySegment serverWeights = weights(configuration.sharding(), servers);
        MemorySegment pushed = zeros(LENGTH);
        for (int round = 0; round < ROUNDS; round++) {
            for (int rank = 2; rank < 5; rank++) {
                add(integers(LENGTH, 10L * round + rank), pushed);
            }
        }
        assertThat(serverWeights.mismatch(pushed)).isNotEqualTo(-1);
        residuals.values().forEach(residual -> add(residual, serverWeights));
        assertThat(serverWeights.mismatch(pushed)).isEqualTo(-1);
    }

    private static MemorySegment residual(Sharding sharding, RemoteParameters parameters) {
        MemorySegment whole = zeros(LENGTH);
        for (Shard shard : sharding.shards()) {
            Residual residual = parameters.residual(shard.index()).orElseThrow();
            assertThat(residual.round()).isEqualTo(ROUNDS);
            slice(whole, shard).copyFrom(residual.vector());
        }
        return whole;
    }

    /**
     * The codec omits most elements, so the sum is sparse; the coded answer has the same bits as a
     * plain one.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aggregatingServersAnswerCodedWithoutLoss(int servers) {
        Mode mode = new Mode.Aggregating(Aggregate.MEAN);
        ServerConfiguration coded = configuration(servers, 3, mode, _ -> Codec.topK(0.01), false);
        List<Channel> channels = MemoryChannel.join(servers + 3);
        Map<Integer, MemorySegment> answers = new ConcurrentHashMap<>();
        TestingRanks.run(
                channels,
                channel -> {
                    if (channel.rank() < servers) {
                        server(channel, coded, ADDITION).serve();
                        return;
                    }
                    var parameters = new RemoteParameters(channel, coded, Arena.ofAuto());
                    MemorySegment mean = zeros(LENGTH);
                    for (int round = 0; round < ROUNDS; round++) {
                        parameters.exchange(gradient(channel.rank(), round), mean);
                        assertThat(parameters.version(0)).isEqualTo(round + 1);
                    }
                    parameters.pause();
                    answers.put(channel.rank(), mean);
                });

        MemorySegment expected = zeros(LENGTH);
        for (int rank = servers; rank < servers + 3; rank++) {
            for (Shard shard : coded.sharding().shards()) {
                Codec codec = Codec.topK(0.01);
                var codecRandom = new CodecRandom(SEED, rank, ROUNDS - 1);
                MemorySegment buffer =
                        Arena.ofAuto().allocate(codec.largestPayload((int) shard.elements()));
                MemorySegment gradient = slice(gradient(rank, ROUNDS - 1), shard);
                codec.add(
                        codec.encode(gradient, codecRandom, buffer),
                        codecRandom,
                        1,
                        slice(expected, shard));
            }
        }
        FloatScale.fastest().scale(expected, 1f / 3, expected);
        assertThat(answers.values()).hasSize(3).allMatch(it -> it.mismatch(expected) == -1);
        long sent = channels.stream().mapToLong(Channel::bytesSent).sum();
        assertThat(sent).isLessThan(ROUNDS * 3 * 4L * LENGTH / 4);
    }

    @Test
    void aggregatingServersAnswerPlainPushesPlainly() {
        var configuration =
                new ServerConfiguration(
                        new Roles(2, 5),
                        Sharding.byLayers(LAYERS, 2),
                        new Mode.Aggregating(Aggregate.SUM));
        Map<Integer, ParameterServer> servers =
                run(
                        configuration,
                        (_, parameters) -> {
                            MemorySegment sum = zeros(LENGTH);
                            for (int round = 0; round < ROUNDS; round++) {
                                parameters.exchange(integers(LENGTH, round), sum);
                                MemorySegment expected = zeros(LENGTH);
                                for (int replica = 0; replica < 3; replica++) {
                                    add(integers(LENGTH, round), expected);
                                }
                                assertThat(sum.mismatch(expected)).isEqualTo(-1);
                            }
                        });

        assertThat(servers.values()).allMatch(server -> server.staleness().max() == 0);
    }

    @Test
    void aggregatingServersRejectPulls() {
        var configuration =
                new ServerConfiguration(
                        new Roles(1, 2),
                        Sharding.byBytes(4, 1),
                        new Mode.Aggregating(Aggregate.SUM));
        assertRejects(
                configuration,
                channel -> send(channel, 0, new Message(Kind.PULL, 0, 0, 0, Payload.NONE)),
                "rank 1 sent a pull to a server that only aggregates");
    }

    /**
     * Payloads that do not fit a shard of ten elements, whose codec with id 1 needs at most 48
     * bytes.
     */
    private static Stream<Payload> payloads() {
        return Stream.of(
                Payload.plain(40),
                new Payload(2, 0, 10, 8),
                new Payload(1, 0, 9, 8),
                new Payload(1, 0, -1, 8),
                new Payload(1, 0, 10, -1),
                new Payload(1, 0, 10, 1L << 40),
                new Payload(1, 0, Integer.MAX_VALUE, 8));
    }

    private static ServerConfiguration ofTen(Mode mode, boolean coded) {
        return new ServerConfiguration(
                new Roles(1, 2),
                Sharding.byBytes(10, 1),
                mode,
                coded
                        ? Optional.of(new GradientCoding(_ -> Codec.threshold(1), false, SEED))
                        : Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void rejectsFramesThatDoNotFitTheShard(Payload payload) {
        assertRejects(
                ofTen(new Mode.Asynchronous(), true),
                channel -> send(channel, 0, new Message(Kind.PUSH, 0, 0, 0, payload)),
                "rank 1 sent Message[kind=PUSH");
    }

    @Test
    void rejectsFramesIfGradientsAreNotCoded() {
        var frame = new Payload(1, 0, 10, 8);
        assertRejects(
                ofTen(new Mode.Asynchronous(), false),
                channel -> send(channel, 0, new Message(Kind.PUSH, 0, 0, 0, frame)),
                "rank 1 sent Message[kind=PUSH");
    }

    /** The flags of an invalid index list, and of an unknown index coding. */
    @ParameterizedTest
    @ValueSource(ints = {0, 77})
    void rejectsCorruptFrames(int flags) {
        for (Mode mode : List.of(new Mode.Asynchronous(), new Mode.Synchronous(Aggregate.SUM))) {
            assertRejects(
                    ofTen(mode, true),
                    channel -> {
                        var frame = new Payload(1, flags, 10, 7);
                        send(channel, 0, new Message(Kind.PUSH, 0, 0, 0, frame));
                        MemorySegment corrupt = Arena.ofAuto().allocate(7).fill((byte) -1);
                        channel.send(0, PayloadType.PLAIN, corrupt, 0, 7);
                        channel.awaitSent(0);
                    },
                    "rank 1 sent Message[kind=PUSH");
        }
    }

    private static void assertRejects(
            ServerConfiguration configuration, TestingRanks.Rank replica, String message) {
        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    if (channel.rank() == 0) {
                        assertThatExceptionOfType(MessageRefused.class)
                                .isThrownBy(server(channel, configuration, ADDITION)::serve)
                                .withMessageContaining(message);
                    } else {
                        replica.run(channel);
                    }
                });
    }

    @Test
    void aReplicaRejectsACorruptAnswer() {
        ServerConfiguration configuration = ofTen(new Mode.Aggregating(Aggregate.SUM), true);
        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    if (channel.rank() == 0) {
                        long bytes = receive(channel, 1).payload().bytes();
                        MemorySegment buffer = Arena.ofAuto().allocate(64);
                        PipelineSegments.postReceive(channel, 1, buffer, 0, bytes);
                        PipelineSegments.awaitReceived(channel, 1, bytes);
                        send(
                                channel,
                                1,
                                new Message(Kind.VALUES, 0, 1, 0, new Payload(1, 0, 10, 7)));
                        channel.send(1, PayloadType.PLAIN, buffer.fill((byte) -1), 0, 7);
                        channel.awaitSent(1);
                    } else {
                        var parameters =
                                new RemoteParameters(channel, configuration, Arena.ofAuto());
                        assertThatExceptionOfType(MessageRefused.class)
                                .isThrownBy(() -> parameters.exchange(integers(10, 1), zeros(10)))
                                .withMessageStartingWith("rank 0 sent Message[kind=VALUES")
                                .withCauseInstanceOf(FrameCorrupt.class);
                    }
                });
    }

    @Test
    void aRoundDoesNotDependOnTheOrderOfArrival() {
        ServerConfiguration configuration =
                configuration(1, 4, new Mode.Synchronous(Aggregate.MEAN), true);
        Map<Integer, MemorySegment> answers = new TreeMap<>();
        for (int attempt = 0; attempt < 3; attempt++) {
            MemorySegment answer = zeros(LENGTH);
            run(
                    configuration,
                    (channel, parameters) -> {
                        MemorySegment weights = zeros(LENGTH);
                        for (int round = 0; round < ROUNDS; round++) {
                            parameters.exchange(gradient(channel.rank(), round), weights);
                        }
                        if (channel.rank() == 1) {
                            answer.copyFrom(weights);
                        }
                    });
            answers.put(attempt, answer);
        }

        assertThat(answers.values()).allMatch(it -> it.mismatch(answers.get(0)) == -1);
    }

    private static Stream<Mode> modesOnArrival() {
        return Stream.of(
                new Mode.Asynchronous(), new Mode.StaleSynchronous(1), new Mode.Barrier(2));
    }

    /** Frames with error feedback, in two shards; a single replica, which never waits. */
    @Tag("allocation")
    @ParameterizedTest
    @MethodSource("modesOnArrival")
    void aCodedPushAllocatesAlmostNothing(Mode mode) throws Exception {
        AllocationTrials.assertBytesPerRound(4095, () -> maxBytesPerPush(mode));
    }

    /** Returns the maximum that the server or the replica allocates in a round, after warm-up. */
    private static long maxBytesPerPush(Mode mode) {
        var coding = new GradientCoding(_ -> Codec.topK(0.1), true, SEED);
        var configuration =
                new ServerConfiguration(
                        new Roles(1, 2),
                        Sharding.byLayers(List.of(500L, 1500L), 1),
                        mode,
                        Optional.of(coding));
        int shards = configuration.sharding().shards().size();
        int warmUps = 10;
        int rounds = 200;
        long[] applied = new long[1];
        long[] before = new long[1];
        Map<Integer, Long> allocated = new ConcurrentHashMap<>();
        Update counting =
                (_, _, _, _) -> {
                    applied[0]++;
                    if (applied[0] == (long) shards * warmUps) {
                        before[0] = AllocationTrials.allocatedBytes();
                    } else if (applied[0] == (long) shards * (warmUps + rounds)) {
                        allocated.put(0, AllocationTrials.allocatedBytes() - before[0]);
                    }
                    return true;
                };
        run(
                configuration,
                () -> counting,
                (_, parameters) -> {
                    MemorySegment weights = zeros(2000);
                    MemorySegment gradient = random(2000, 1);
                    pullAndPush(parameters, weights, gradient, warmUps);
                    allocated.put(
                            1,
                            AllocationTrials.bytesOf(
                                    () -> pullAndPush(parameters, weights, gradient, rounds)));
                });
        assertThat(allocated).containsOnlyKeys(0, 1);
        return Collections.max(allocated.values()) / rounds;
    }

    private static void pullAndPush(
            RemoteParameters parameters,
            MemorySegment weights,
            MemorySegment gradient,
            int rounds) {
        for (int round = 0; round < rounds; round++) {
            parameters.pull(weights);
            parameters.push(gradient);
        }
    }
}
