package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.instrument.StalenessHistogram;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;

/**
 * Runs servers and replicas in memory: servers begin with zeros, and replicas do what a test
 * defines.
 */
final class TestingServers {

    /** Adds pushed gradients to the weights. */
    static final Update ADDITION =
            (_, weights, gradient, _) -> {
                add(gradient, weights);
                return true;
            };

    private TestingServers() {}

    /** The program of a replica until it pauses. */
    interface Work {
        void run(Channel channel, RemoteParameters parameters) throws Exception;
    }

    /** Runs servers and replicas; returns the servers by rank. */
    static Map<Integer, ParameterServer> run(ServerConfiguration configuration, Work work) {
        return run(configuration, () -> ADDITION, work);
    }

    static Map<Integer, ParameterServer> run(
            ServerConfiguration configuration, Supplier<Update> update, Work work) {
        Map<Integer, ParameterServer> servers = new ConcurrentHashMap<>();
        TestingRanks.run(
                MemoryChannel.join(configuration.roles().ranks()),
                channel -> {
                    if (configuration.roles().isServer(channel.rank())) {
                        ParameterServer server = server(channel, configuration, update.get());
                        server.serve();
                        servers.put(channel.rank(), server);
                    } else {
                        var parameters =
                                new RemoteParameters(channel, configuration, Arena.ofAuto());
                        work.run(channel, parameters);
                        parameters.pause();
                    }
                });
        return servers;
    }

    static ParameterServer server(
            Channel channel, ServerConfiguration configuration, Update update) {
        return new ParameterServer(
                channel,
                configuration,
                update,
                zeros(length(configuration.sharding())),
                Arena.ofAuto());
    }

    static int length(Sharding sharding) {
        return (int) (sharding.bytes() / Float.BYTES);
    }

    /** Returns the weights of all servers. */
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

    /**
     * Returns integers so small that float32 adds them without rounding, in any order; most are
     * zero.
     */
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
        channel.send(to, PayloadType.PLAIN, header, 0, Message.BYTES);
        channel.awaitSent(to);
    }

    static Message receive(Channel channel, int from) {
        MemorySegment header = Arena.ofAuto().allocate(Message.BYTES);
        channel.receive(from, header, 0, Message.BYTES);
        channel.awaitReceived(from);
        return Message.read(header, 0);
    }

    /** Waits until both ranks have called it. */
    static void rendezvous(Channel channel, int peer) {
        channel.exchange(peer, MemorySegment.NULL, peer, MemorySegment.NULL);
    }
}
