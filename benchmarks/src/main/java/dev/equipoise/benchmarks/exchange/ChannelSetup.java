package dev.equipoise.benchmarks.exchange;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.DataServer;
import dev.equipoise.agent.channel.DirectChannel;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.RunKey;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import dev.equipoise.agent.time.SystemTime;
import java.io.IOException;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Creates the channel of one rank's process.
 *
 * @param ranks number of ranks, each in its own process
 */
record ChannelSetup(ExchangeVariant variant, int rank, int ranks) {

    private static final String HOST = "127.0.0.1";
    private static final String NO_ADDRESS = HOST + ":1";

    /** Connects to the other ranks and runs the measurement, which must close the channel. */
    void run(Consumer<Channel> measurement) throws IOException, InterruptedException {
        switch (variant) {
            case DIRECT ->
                    run(DataServer.openForSocketsOnly(HOST, new SecureRandom()), measurement);
            case SHARED_MEMORY -> run(DataServer.open(HOST, new SecureRandom()), measurement);
            case HAZELCAST -> runOverHazelcast(measurement);
        }
    }

    private void run(DataServer server, Consumer<Channel> measurement) throws IOException {
        try (server) {
            Rendezvous all = Rendezvous.meet(server.address().getPort());
            measurement.accept(
                    DirectChannel.connect(server, group(all), all.addresses(), Timeouts.DEFAULT));
        }
    }

    private void runOverHazelcast(Consumer<Channel> measurement)
            throws IOException, InterruptedException {
        int port = freePort();
        Rendezvous all = Rendezvous.meet(port);
        List<String> seeds = all.ports().stream().map(it -> HOST + ":" + it).toList();
        List<String> workers = IntStream.range(0, ranks).mapToObj(String::valueOf).toList();
        var settings =
                new ClusterSettings(
                        all.run().toString(), HOST, port, seeds, workers.get(rank), NO_ADDRESS);
        try (var cluster = HazelcastCluster.join(settings)) {
            measurement.accept(
                    cluster.channel(group(all), workers, Timeouts.DEFAULT, new SystemTime()));
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private RankIdentity group(Rendezvous all) {
        var key = new RunKey(HexFormat.of().parseHex(all.key()));
        return new RankIdentity(all.run(), 1, rank, ranks, key);
    }
}
