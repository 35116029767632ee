package dev.equipoise.agent.channel;

import static dev.equipoise.testing.Patience.PATIENCE;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A data server for each rank on the loopback interface, as if each rank had its own agent. */
public final class TestingMesh implements AutoCloseable {

    static final int GENERATION = 3;
    static final Timeouts TIMEOUTS = new Timeouts(PATIENCE, PATIENCE);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final UUID run = UUID.randomUUID();
    private final RunKey key = randomKey();
    private final List<DataServer> servers;

    /** Ranks that share no memory and exchange over sockets only. */
    public TestingMesh(int size) {
        this(size, () -> DataServer.openForSocketsOnly("127.0.0.1", RANDOM));
    }

    private TestingMesh(int size, Supplier<DataServer> server) {
        this(Stream.generate(server).limit(size).toList());
    }

    private TestingMesh(List<DataServer> servers) {
        this.servers = servers;
    }

    /** One rank for each folder of shared memory, if any. */
    static TestingMesh of(List<Optional<Path>> folders) {
        return new TestingMesh(
                folders.stream()
                        .map(folder -> DataServer.open("127.0.0.1", new Handshake(RANDOM, folder)))
                        .toList());
    }

    /** Ranks that share memory, as ranks on one host do. */
    public static TestingMesh sharingMemory(int size) {
        return new TestingMesh(size, () -> DataServer.open("127.0.0.1", RANDOM));
    }

    /** Connects all ranks, each in its own thread. */
    public List<Channel> connectAll() {
        return connectAll(TIMEOUTS);
    }

    public List<Channel> connectAll(Timeouts timeouts) {
        List<Callable<Channel>> connections = new ArrayList<>();
        for (int rank = 0; rank < servers.size(); rank++) {
            RankIdentity identity = identity(rank);
            connections.add(() -> connect(identity, timeouts));
        }
        return TestingRanks.callAll(connections);
    }

    /** Returns the connections of each rank to the others. */
    List<Map<Integer, Connection>> assembleAll() {
        List<Callable<Map<Integer, Connection>>> meshes = new ArrayList<>();
        for (int rank = 0; rank < servers.size(); rank++) {
            var mesh =
                    new Mesh(
                            server(rank),
                            identity(rank),
                            addresses(),
                            PendingRendezvous.within(TIMEOUTS.connect()));
            meshes.add(mesh::assemble);
        }
        return TestingRanks.callAll(meshes);
    }

    Channel connect(RankIdentity identity, Timeouts timeouts) {
        return DirectChannel.connect(server(identity.rank()), identity, addresses(), timeouts);
    }

    RankIdentity identity(int rank) {
        return new RankIdentity(run, GENERATION, rank, servers.size(), key);
    }

    RankIdentity identityWithAnotherKey(int rank) {
        return new RankIdentity(run, GENERATION, rank, servers.size(), randomKey());
    }

    DataServer server(int rank) {
        return servers.get(rank);
    }

    List<InetSocketAddress> addresses() {
        return servers.stream().map(DataServer::address).toList();
    }

    @Override
    public void close() {
        servers.forEach(DataServer::close);
    }

    private static RunKey randomKey() {
        byte[] secret = new byte[RunKey.BYTES];
        RANDOM.nextBytes(secret);
        return new RunKey(secret);
    }
}
