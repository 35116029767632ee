package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.AllocationTrials;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.collective.PipelineSegments;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.instrument.StalenessHistogram;
import dev.equipoise.agent.server.Message.Kind;
import dev.equipoise.agent.server.Mode.Aggregate;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(Patience.SECONDS)
class ParameterServerTest {

    private static final List<Long> LAYERS = List.of(400L, 3L, 50_000L, 10L, 0L, 5000L);
    private static final int LENGTH = 55_413;
    private static final int ROUNDS = 20;
    private static final float RATE = 0.125f;
    private static final Update DESCENT =
            (_, weights, gradient, _) -> {
                descend(weights, gradient);
                return true;
            };

    private static final Mode MEANS = new Mode.Synchronous(Aggregate.MEAN);
    private static final Mode ON_ARRIVAL = new Mode.Asynchronous();

    private static Stream<Arguments> shardings() {
        return IntStream.of(1, 2, 3)
                .boxed()
                .flatMap(servers ->
                        Stream.of(
                                Arguments.of(servers, Sharding.byBytes(LENGTH, servers)),
                                Arguments.of(servers, Sharding.byLayers(LAYERS, servers))));
    }

    @ParameterizedTest(name = "{0} servers")
    @MethodSource("shardings")
    void roundsGiveTheSameWeightsAsAnAllReduce(int servers, Sharding sharding) {
        var roles = new Roles(servers, servers + 4);

        Map<Integer, MemorySegment> served = weightsAfterRounds(roles, sharding, Aggregate.MEAN);

        MemorySegment reduced = weightsOfAllReduce(4, Aggregate.MEAN);
        assertThat(served.keySet()).containsExactlyElementsOf(roles.replicas());
        assertThat(served.values()).allMatch(weights -> weights.mismatch(reduced) == -1);
    }

    @Test
    void sumsGradientsIfConfigured() {
        Map<Integer, MemorySegment> served =
                weightsAfterRounds(new Roles(2, 5), Sharding.byBytes(LENGTH, 2), Aggregate.SUM);

        MemorySegment reduced = weightsOfAllReduce(3, Aggregate.SUM);
        assertThat(served.values()).hasSize(3).allMatch(weights -> weights.mismatch(reduced) == -1);
    }

    /** Real numbers, whose sum depends on the order of the additions: it is that of the ranks. */
    @Test
    void shardingDoesNotChangeAnyBit() {
        List<MemorySegment> results = new ArrayList<>();
        for (Sharding sharding :
                List.of(
                        Sharding.byBytes(LENGTH, 1),
                        Sharding.byBytes(LENGTH, 2),
                        Sharding.byLayers(LAYERS, 2))) {
            Map<Integer, MemorySegment> weights =
                    weightsAfterRounds(
                            new Roles(2, 5),
                            sharding,
                            MEANS,
                            (rank, round) -> random(31L * round + rank));
            results.addAll(weights.values());
        }

        assertThat(results)
                .hasSize(9)
                .allMatch(weights -> weights.mismatch(results.getFirst()) == -1);
    }

    @Test
    void incrementsTheVersionInEachRound() {
        var roles = new Roles(2, 4);
        Sharding sharding = Sharding.byLayers(LAYERS, 2);
        Mode mode = MEANS;

        TestingRanks.run(
                MemoryChannel.join(4),
                channel -> {
                    if (roles.isServer(channel.rank())) {
                        ParameterServer server = server(channel, roles, sharding, mode, DESCENT);
                        server.serve();
                        List<Shard> own = sharding.of(channel.rank());
                        assertThat(own).allMatch(it -> server.version(it.index()) == ROUNDS);
                        assertThat(server.staleness())
                                .isEqualTo(
                                        new StalenessHistogram(
                                                List.of(2L * ROUNDS * own.size()), 0, 0));
                    } else {
                        var parameters = remote(channel, roles, sharding, mode);
                        for (int round = 0; round < ROUNDS; round++) {
                            parameters.exchange(vector(1), vector(0));
                            assertThat(parameters.version(0)).isEqualTo(round + 1);
                        }
                        parameters.pause();
                    }
                });
    }

    /** Exchanges each layer as soon as its gradient is known, the last layer first. */
    @Test
    void exchangesLayersOneByOne() {
        var roles = new Roles(2, 5);
        Sharding sharding = Sharding.byLayers(LAYERS, 2);
        List<Shard> backwards = sharding.shards().reversed();
        MemorySegment reduced = weightsOfAllReduce(3, Aggregate.MEAN, 1);

        TestingRanks.run(
                MemoryChannel.join(5),
                channel -> {
                    if (roles.isServer(channel.rank())) {
                        server(channel, roles, sharding, MEANS, DESCENT).serve();
                    } else {
                        var parameters = remote(channel, roles, sharding, MEANS);
                        MemorySegment weights = vector(0);
                        MemorySegment gradient = integers(channel.rank() - 2, 0);
                        backwards.forEach(shard -> parameters.begin(shard, gradient, weights));
                        backwards.forEach(parameters::end);
                        assertThat(weights.mismatch(reduced)).isEqualTo(-1);
                        parameters.pause();
                    }
                });
    }

    @ParameterizedTest(name = "{0} servers")
    @MethodSource("shardings")
    void appliesEveryPushOnceOnArrival(int servers, Sharding sharding) {
        int replicas = 4;
        var roles = new Roles(servers, servers + replicas);
        Map<Integer, StalenessHistogram> histograms = new ConcurrentHashMap<>();

        TestingRanks.run(
                MemoryChannel.join(servers + replicas),
                channel -> {
                    if (roles.isServer(channel.rank())) {
                        ParameterServer server =
                                server(channel, roles, sharding, ON_ARRIVAL, DESCENT);
                        server.serve();
                        histograms.put(channel.rank(), server.staleness());
                        assertThat(sharding.of(channel.rank()))
                                .allMatch(it ->
                                        server.version(it.index()) == (long) replicas * ROUNDS);
                    } else {
                        trainAlone(remote(channel, roles, sharding, ON_ARRIVAL));
                    }
                });

        StalenessHistogram all =
                histograms.values().stream()
                        .reduce(StalenessHistogram.EMPTY, StalenessHistogram::plus);
        assertThat(all.total()).isEqualTo((long) replicas * ROUNDS * sharding.shards().size());
        assertThat(all.max()).isLessThan((long) replicas * ROUNDS);
    }

    /** Every push subtracts 1/8, so that the weights count the pushes. */
    private static void trainAlone(RemoteParameters parameters) {
        MemorySegment weights = vector(0);
        for (int round = 0; round < ROUNDS; round++) {
            parameters.pull(weights);
            float first = weights.getAtIndex(JAVA_FLOAT, 0);
            assertThat(first).isEqualTo(0 - RATE * parameters.version(0));
            parameters.push(vector(1));
        }
        parameters.pause();
    }

    /** The values of one shard belong to one version, even while others push. */
    @ParameterizedTest
    @ValueSource(ints = {2, 7})
    void neverReturnsAPartlyUpdatedShard(int replicas) {
        var roles = new Roles(1, 1 + replicas);
        Sharding sharding = Sharding.byLayers(LAYERS, 1);

        TestingRanks.run(
                MemoryChannel.join(1 + replicas),
                channel -> {
                    if (roles.isServer(channel.rank())) {
                        server(channel, roles, sharding, ON_ARRIVAL, DESCENT).serve();
                        return;
                    }
                    var parameters = remote(channel, roles, sharding, ON_ARRIVAL);
                    MemorySegment weights = vector(0);
                    for (int round = 0; round < ROUNDS; round++) {
                        parameters.pull(weights);
                        sharding.shards()
                                .forEach(shard -> assertUniform(weights, shard, parameters));
                        parameters.push(vector(1));
                    }
                    parameters.pause();
                });
    }

    private static void assertUniform(
            MemorySegment weights, Shard shard, RemoteParameters parameters) {
        float expected = 0 - RATE * parameters.version(shard.index());
        MemorySegment values = weights.asSlice(shard.offset(), shard.bytes());
        assertThat(values.mismatch(filled(shard.elements(), expected))).isEqualTo(-1);
    }

    /** The first replica pulls and posts no receive buffer before the second one is done. */
    @Test
    void aSlowReceiverDelaysNoOtherReplica() {
        var roles = new Roles(1, 3);
        Sharding sharding = Sharding.byBytes(LENGTH, 1);

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    switch (channel.rank()) {
                        case 0 -> {
                            ParameterServer server =
                                    server(channel, roles, sharding, ON_ARRIVAL, DESCENT);
                            server.serve();
                            assertThat(server.version(0)).isEqualTo(ROUNDS);
                        }
                        case 1 -> receiveValuesLate(channel);
                        default -> {
                            channel.exchange(1, MemorySegment.NULL, 1, MemorySegment.NULL);
                            trainAlone(remote(channel, roles, sharding, ON_ARRIVAL));
                            channel.exchange(1, MemorySegment.NULL, 1, MemorySegment.NULL);
                        }
                    }
                });
    }

    /** Receives values that are those at the time of the pull. */
    private static void receiveValuesLate(Channel channel) {
        send(channel, 0, new Message(Kind.PULL, 0, 0, 0, Payload.NONE));
        channel.exchange(2, MemorySegment.NULL, 2, MemorySegment.NULL);
        channel.exchange(2, MemorySegment.NULL, 2, MemorySegment.NULL);
        MemorySegment answer = Arena.ofAuto().allocate(Message.BYTES);
        MemorySegment values = vector(1);
        channel.receive(0, answer, 0, Message.BYTES);
        PipelineSegments.postReceive(channel, 0, values, 0, values.byteSize());
        channel.awaitReceived(0);
        PipelineSegments.awaitReceived(channel, 0, values.byteSize());
        assertThat(Message.read(answer, 0))
                .isEqualTo(new Message(Kind.VALUES, 0, 0, 0, Payload.plain(values.byteSize())));
        assertThat(values.mismatch(vector(0))).isEqualTo(-1);
        send(channel, 0, new Message(Kind.PAUSE, 0, 0, 0, Payload.NONE));
    }

    private static void send(Channel channel, int server, Message message) {
        MemorySegment header = Arena.ofAuto().allocate(Message.BYTES);
        message.write(header, 0);
        channel.send(server, PayloadType.PLAIN, header, 0, Message.BYTES);
        channel.awaitSent(server);
    }

    @Test
    void reportsTheStaleness() {
        var roles = new Roles(1, 3);
        Sharding sharding = Sharding.byBytes(LENGTH, 1);
        List<Long> staleness = new ArrayList<>();
        Update recording = (_, _, _, arrival) -> staleness.add(arrival.staleness());

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    if (channel.rank() == 0) {
                        ParameterServer server =
                                server(channel, roles, sharding, ON_ARRIVAL, recording);
                        server.serve();
                        assertThat(server.staleness())
                                .isEqualTo(
                                        new StalenessHistogram(
                                                List.of(4L, 1L, 0L, 0L, 0L, 1L), 6, 5));
                        return;
                    }
                    var parameters = remote(channel, roles, sharding, ON_ARRIVAL);
                    MemorySegment weights = vector(0);
                    parameters.pull(weights);
                    if (channel.rank() == 1) {
                        // Computed before any push, and pushed after five of the other replica.
                        channel.exchange(2, MemorySegment.NULL, 2, MemorySegment.NULL);
                        channel.exchange(2, MemorySegment.NULL, 2, MemorySegment.NULL);
                        assertThat(parameters.push(weights)).isEqualTo(5);
                    } else {
                        channel.exchange(1, MemorySegment.NULL, 1, MemorySegment.NULL);
                        for (int push = 0; push < 3; push++) {
                            assertThat(parameters.push(weights)).isZero();
                            parameters.pull(weights);
                        }
                        assertThat(parameters.push(weights)).isZero();
                        assertThat(parameters.push(weights)).isEqualTo(1);
                        channel.exchange(1, MemorySegment.NULL, 1, MemorySegment.NULL);
                    }
                    parameters.pause();
                });

        assertThat(staleness).containsExactly(0L, 0L, 0L, 0L, 1L, 5L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failsWhenAReplicaIsLost(boolean inRounds) {
        var roles = new Roles(1, 3);
        Sharding sharding = Sharding.byBytes(LENGTH, 1);
        Mode mode = inRounds ? new Mode.Synchronous(Aggregate.SUM) : ON_ARRIVAL;

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    var parameters = remote(channel, roles, sharding, mode);
                    switch (channel.rank()) {
                        case 0 ->
                                assertThatExceptionOfType(ChannelFailed.class)
                                        .isThrownBy(
                                                server(channel, roles, sharding, mode, DESCENT)
                                                        ::serve);
                        case 1 -> {
                            parameters.pull(vector(0));
                            channel.close();
                        }
                        default ->
                                assertThatExceptionOfType(ChannelFailed.class)
                                        .isThrownBy(() -> pushForever(parameters, inRounds));
                    }
                });
    }

    private static void pushForever(RemoteParameters parameters, boolean inRounds) {
        while (true) {
            if (inRounds) {
                parameters.exchange(vector(1), vector(0));
            } else {
                parameters.push(vector(1));
            }
        }
    }

    /** A frame has a header of 32 bytes; a shard of 221,652 bytes is two segments of 128 KiB. */
    @Test
    void valuesAndGradientsAreSentInSegments() {
        var roles = new Roles(1, 2);
        Sharding sharding = Sharding.byBytes(LENGTH, 1);
        List<Channel> channels = MemoryChannel.join(2);

        TestingRanks.run(
                channels,
                channel -> {
                    if (channel.rank() == 0) {
                        server(channel, roles, sharding, ON_ARRIVAL, DESCENT).serve();
                        return;
                    }
                    var parameters = remote(channel, roles, sharding, ON_ARRIVAL);
                    parameters.push(vector(1));
                    parameters.pull(vector(0));
                    parameters.pause();
                });

        long message = 32 + Message.BYTES;
        long segments = 2 * 32 + 4L * LENGTH;
        assertThat(channels)
                .extracting(Channel::bytesSent)
                .containsExactly(2 * message + segments, 3 * message + segments);
    }

    @Test
    void rejectsAPauseDuringARound() {
        var roles = new Roles(1, 3);
        Sharding sharding = Sharding.byBytes(LENGTH, 1);

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    var parameters =
                            remote(channel, roles, sharding, new Mode.Synchronous(Aggregate.SUM));
                    switch (channel.rank()) {
                        case 0 -> {
                            assertThatExceptionOfType(MessageRefused.class)
                                    .isThrownBy(
                                            server(
                                                            channel,
                                                            roles,
                                                            sharding,
                                                            new Mode.Synchronous(Aggregate.SUM),
                                                            DESCENT)
                                                    ::serve)
                                    .withMessageContaining("before the round was over");
                            channel.close();
                        }
                        case 1 -> parameters.pause();
                        default ->
                                assertThatExceptionOfType(ChannelFailed.class)
                                        .isThrownBy(
                                                () -> parameters.exchange(vector(1), vector(0)));
                    }
                });
    }

    private static Stream<Message> invalidMessages() {
        return Stream.of(
                new Message(Kind.PULL, 2, 0, 0, Payload.NONE),
                new Message(Kind.PULL, -1, 0, 0, Payload.NONE),
                new Message(Kind.PULL, 1, 0, 0, Payload.NONE),
                new Message(Kind.PUSH, 0, 0, 0, Payload.plain(4)),
                new Message(Kind.PUSH, 0, 1, 0, Payload.plain(4L * LENGTH)),
                new Message(Kind.PUSH, 0, -1, 0, Payload.plain(4L * LENGTH)),
                new Message(Kind.VALUES, 0, 0, 0, Payload.NONE));
    }

    @ParameterizedTest
    @MethodSource("invalidMessages")
    void rejectsInvalidMessages(Message message) {
        // The second shard belongs to another server.
        Sharding sharding =
                new Sharding(
                        List.of(new Shard(0, 0, 0, 4L * LENGTH), new Shard(1, 1, 4L * LENGTH, 0)));
        var roles = new Roles(2, 3);

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    if (channel.rank() == 0) {
                        assertThatExceptionOfType(MessageRefused.class)
                                .isThrownBy(
                                        server(channel, roles, sharding, ON_ARRIVAL, DESCENT)
                                                ::serve);
                    } else if (channel.rank() == 2) {
                        send(channel, 0, message);
                    }
                });
    }

    /** The replicas would wait forever for each other's gradients of different shards. */
    @Test
    void rejectsShardsInDifferentOrders() {
        var roles = new Roles(1, 3);
        Sharding sharding = Sharding.byLayers(LAYERS, 1);

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    if (channel.rank() == 0) {
                        assertRejects(channel, roles, sharding, "sent Message[kind=PUSH, shard=");
                        return;
                    }
                    var parameters = remote(channel, roles, sharding, MEANS);
                    List<Shard> order =
                            channel.rank() == 1 ? sharding.shards() : sharding.shards().reversed();
                    MemorySegment gradient = vector(1);
                    MemorySegment weights = vector(0);
                    order.forEach(shard -> parameters.begin(shard, gradient, weights));
                    assertThatExceptionOfType(ChannelFailed.class)
                            .isThrownBy(() -> parameters.end(order.getFirst()));
                });
    }

    @Test
    void rejectsAGradientOfAnEarlierRound() {
        var roles = new Roles(1, 2);
        Sharding sharding = Sharding.byBytes(LENGTH, 1);

        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    if (channel.rank() == 0) {
                        assertRejects(
                                channel,
                                roles,
                                sharding,
                                "for " + sharding.shards().getFirst() + " of version 1");
                        return;
                    }
                    var parameters = remote(channel, roles, sharding, MEANS);
                    parameters.exchange(vector(1), vector(0));
                    send(channel, 0, new Message(Kind.PUSH, 0, 0, 0, Payload.plain(4L * LENGTH)));
                });
    }

    private static void assertRejects(
            Channel channel, Roles roles, Sharding sharding, String message) {
        assertThatExceptionOfType(MessageRefused.class)
                .isThrownBy(server(channel, roles, sharding, MEANS, DESCENT)::serve)
                .withMessageContaining(message);
        channel.close();
    }

    @Test
    void rejectsVectorsOfAnotherLength() {
        Channel channel = MemoryChannel.join(2).getFirst();
        var roles = new Roles(1, 2);
        Sharding sharding = Sharding.byBytes(3, 1);
        var parameters = remote(channel, roles, sharding, ON_ARRIVAL);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> parameters.pull(filled(2, 0)))
                .withMessage("the vector must have 12 bytes, but has 8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server(channel, roles, sharding, ON_ARRIVAL, DESCENT))
                .withMessageStartingWith("the vector must have 12 bytes, but has");
    }

    @Tag("allocation")
    @Test
    void aRoundAllocatesAlmostNothing() throws Exception {
        AllocationTrials.assertBytesPerRound(1023, ParameterServerTest::maxBytesPerRound);
    }

    /** Returns the maximum that the server or a replica allocates in a round, after warm-up. */
    private static long maxBytesPerRound() {
        var roles = new Roles(1, 3);
        Sharding sharding = Sharding.byBytes(LENGTH, 1);
        int warmUps = 10;
        int rounds = 200;
        Map<Integer, Long> allocated = new ConcurrentHashMap<>();
        long[] before = new long[1];
        long[] applied = new long[1];
        Update counting =
                (_, _, _, _) -> {
                    if (++applied[0] == warmUps) {
                        before[0] = AllocationTrials.allocatedBytes();
                    }
                    return true;
                };

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    if (channel.rank() == 0) {
                        server(channel, roles, sharding, MEANS, counting).serve();
                        allocated.put(0, AllocationTrials.allocatedBytes() - before[0]);
                        return;
                    }
                    var parameters = remote(channel, roles, sharding, MEANS);
                    MemorySegment gradient = vector(1);
                    MemorySegment weights = vector(0);
                    exchange(parameters, gradient, weights, warmUps);
                    allocated.put(
                            channel.rank(),
                            AllocationTrials.bytesOf(
                                    () -> exchange(parameters, gradient, weights, rounds)));
                    parameters.pause();
                });
        assertThat(allocated).containsOnlyKeys(0, 1, 2);
        return Collections.max(allocated.values()) / rounds;
    }

    private static void exchange(
            RemoteParameters parameters,
            MemorySegment gradient,
            MemorySegment weights,
            int rounds) {
        for (int round = 0; round < rounds; round++) {
            parameters.exchange(gradient, weights);
        }
    }

    private static Map<Integer, MemorySegment> weightsAfterRounds(
            Roles roles, Sharding sharding, Aggregate aggregate) {
        return weightsAfterRounds(
                roles,
                sharding,
                new Mode.Synchronous(aggregate),
                (rank, round) -> integers(rank - roles.servers(), round));
    }

    /** The gradient of a rank in a round. */
    private interface Gradients {
        MemorySegment of(int rank, int round);
    }

    private static Map<Integer, MemorySegment> weightsAfterRounds(
            Roles roles, Sharding sharding, Mode mode, Gradients gradients) {
        Map<Integer, MemorySegment> result = new ConcurrentHashMap<>();
        TestingRanks.run(
                MemoryChannel.join(roles.ranks()),
                channel -> {
                    if (roles.isServer(channel.rank())) {
                        server(channel, roles, sharding, mode, DESCENT).serve();
                        return;
                    }
                    var parameters = remote(channel, roles, sharding, mode);
                    MemorySegment weights = vector(0);
                    parameters.pull(weights);
                    for (int round = 0; round < ROUNDS; round++) {
                        parameters.exchange(gradients.of(channel.rank(), round), weights);
                    }
                    parameters.pause();
                    result.put(channel.rank(), weights);
                });
        return new TreeMap<>(result);
    }

    private static MemorySegment weightsOfAllReduce(int replicas, Aggregate aggregate) {
        return weightsOfAllReduce(replicas, aggregate, ROUNDS);
    }

    private static MemorySegment weightsOfAllReduce(int replicas, Aggregate aggregate, int rounds) {
        MemorySegment result = vector(0);
        TestingRanks.run(
                MemoryChannel.join(replicas),
                channel -> {
                    var allReduce = new RingAllReduce(channel, Arena.ofAuto());
                    MemorySegment weights = vector(0);
                    for (int round = 0; round < rounds; round++) {
                        MemorySegment gradient = integers(channel.rank(), round);
                        allReduce.sum(gradient);
                        if (aggregate == Aggregate.MEAN) {
                            multiply(gradient, 1f / replicas);
                        }
                        descend(weights, gradient);
                    }
                    if (channel.rank() == 0) {
                        result.copyFrom(weights);
                    }
                });
        return result;
    }

    private static ParameterServer server(
            Channel channel, Roles roles, Sharding sharding, Mode mode, Update update) {
        return new ParameterServer(
                channel,
                new ServerConfiguration(roles, sharding, mode),
                update,
                vector(0),
                Arena.ofAuto());
    }

    private static RemoteParameters remote(
            Channel channel, Roles roles, Sharding sharding, Mode mode) {
        return new RemoteParameters(
                channel, new ServerConfiguration(roles, sharding, mode), Arena.ofAuto());
    }

    private static void descend(MemorySegment weights, MemorySegment gradient) {
        for (long i = 0; i < weights.byteSize() / Float.BYTES; i++) {
            weights.setAtIndex(
                    JAVA_FLOAT,
                    i,
                    weights.getAtIndex(JAVA_FLOAT, i) - RATE * gradient.getAtIndex(JAVA_FLOAT, i));
        }
    }

    private static void multiply(MemorySegment vector, float factor) {
        for (long i = 0; i < vector.byteSize() / Float.BYTES; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, vector.getAtIndex(JAVA_FLOAT, i) * factor);
        }
    }

    private static MemorySegment vector(float value) {
        return filled(LENGTH, value);
    }

    private static MemorySegment filled(long length, float value) {
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, length);
        for (long i = 0; i < length; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, value);
        }
        return vector;
    }

    /** Returns integers so small that float32 adds them without rounding, in any order. */
    private static MemorySegment integers(int replica, int round) {
        var random = new SplittableRandom(1000L * replica + round);
        MemorySegment vector = vector(0);
        for (int i = 0; i < LENGTH; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, random.nextInt(-100, 101));
        }
        return vector;
    }

    private static MemorySegment random(long seed) {
        var random = new SplittableRandom(seed);
        MemorySegment vector = vector(0);
        for (int i = 0; i < LENGTH; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
        }
        return vector;
    }
}
