package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.instrument.StalenessHistogram;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;

/** Runs in memory: servers that begin with zeros, and workers who do what a test says. */
final class TestingServers {

    /** Sums up what is pushed. */
    static final Update ADDITION =
            (_, weights, gradient, _) -> {
                add(gradient, weights);
                return true;
            };

    private TestingServers() {}

    /** What a worker does before it pauses. */
    interface Work {
        void run(Channel channel, RemoteParameters parameters) throws Exception;
    }

    /** What becomes of the servers, by rank. */
    static Map<Integer, ParameterServer> run(Terms terms, Work work) {
        return run(terms, () -> ADDITION, work);
    }

    static Map<Integer, ParameterServer> run(Terms terms, Supplier<Update> update, Work work) {
        Map<Integer, ParameterServer> servers = new ConcurrentHashMap<>();
        TestingRanks.run(
                MemoryChannel.join(terms.roles().ranks()),
                channel -> {
                    if (terms.roles().isServer(channel.rank())) {
                        ParameterServer server = server(channel, terms, update.get());
                        server.serve();
                        servers.put(channel.rank(), server);
                    } else {
                        var parameters = new RemoteParameters(channel, terms, Arena.ofAuto());
                        work.run(channel, parameters);
                        parameters.pause();
                    }
                });
        return servers;
    }

    static ParameterServer server(Channel channel, Terms terms, Update update) {
        return new ParameterServer(
                channel, terms, update, zeros(length(terms.sharding())), Arena.ofAuto());
    }

    static int length(Sharding sharding) {
        return (int) (sharding.bytes() / Float.BYTES);
    }

    /** All servers' weights. */
    static MemorySegment weights(Sharding sharding, Map<Integer, ParameterServer> servers) {
        MemorySegment weights = zeros(length(sharding));
        servers.values().forEach(server -> server.copyWeights(weights));
        return weights;
    }

    static StalenessHistogram staleness(Map<Integer, ParameterServer> servers) {
        return servers.values().stream()
                .map(ParameterServer::staleness)
                .reduce(StalenessHistogram.EMPTY, StalenessHistogram::plus);
    }

    static MemorySegment zeros(int length) {
        return Arena.ofAuto().allocate(JAVA_FLOAT, length);
    }

    static MemorySegment vector(int length, IntToDoubleFunction element) {
        MemorySegment vector = zeros(length);
        for (int i = 0; i < length; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) element.applyAsDouble(i));
        }
        return vector;
    }

    /** So small that float32 adds them without rounding, in any order; most are zero. */
    static MemorySegment integers(int length, long seed) {
        var random = new SplittableRandom(seed);
        return vector(length, _ -> random.nextInt(4) == 0 ? random.nextInt(-100, 101) : 0);
    }

    static MemorySegment random(int length, long seed) {
        var random = new SplittableRandom(seed);
        return vector(length, _ -> random.nextGaussian());
    }

    static void add(MemorySegment addend, MemorySegment sum) {
        for (long i = 0; i < sum.byteSize() / Float.BYTES; i++) {
            float value = sum.getAtIndex(JAVA_FLOAT, i) + addend.getAtIndex(JAVA_FLOAT, i);
            sum.setAtIndex(JAVA_FLOAT, i, value);
        }
    }

    static MemorySegment slice(MemorySegment vector, Shard shard) {
        return vector.asSlice(shard.offset(), shard.bytes());
    }

    static void send(Channel channel, int to, Message message) {
        MemorySegment header = Arena.ofAuto().allocate(Message.BYTES);
        message.write(header, 0);
        channel.send(to, Content.PLAIN, header, 0, Message.BYTES);
        channel.awaitSent(to);
    }

    static Message receive(Channel channel, int from) {
        MemorySegment header = Arena.ofAuto().allocate(Message.BYTES);
        channel.receive(from, header, 0, Message.BYTES);
        channel.awaitReceived(from);
        return Message.read(header, 0);
    }

    /** Returns when both have called it. */
    static void meet(Channel channel, int peer) {
        channel.exchange(peer, MemorySegment.NULL, peer, MemorySegment.NULL);
    }
}
