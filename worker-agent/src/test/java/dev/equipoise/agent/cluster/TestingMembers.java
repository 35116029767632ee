package dev.equipoise.agent.cluster;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.RunKey;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** A cluster member for each rank on the loopback interface, as if each rank had its own agent. */
public final class TestingMembers implements AutoCloseable {

    private static final Timeouts TIMEOUTS = new Timeouts(PATIENCE, PATIENCE);

    private final RunKey key = new RunKey(new byte[RunKey.BYTES]);
    private final List<HazelcastCluster> members = new ArrayList<>();

    /**
     * @param cluster a name that no other test uses
     */
    public TestingMembers(String cluster, int size) {
        for (int rank = 0; rank < size; rank++) {
            List<String> seeds = members.stream().map(HazelcastCluster::address).toList();
            members.add(
                    HazelcastCluster.join(
                            new ClusterSettings(
                                    cluster, "127.0.0.1", 0, seeds, "w" + rank, "127.0.0.1:1")));
        }
        await().until(() -> members.stream().allMatch(it -> it.workers().size() == size));
    }

    /** Returns the Hazelcast channels of a new run, in the order of the ranks. */
    public List<Channel> connectAll() {
        UUID run = UUID.randomUUID();
        List<Future<Channel>> channels;
        // Closing the executor waits for all ranks.
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            channels =
                    IntStream.range(0, members.size())
                            .mapToObj(rank -> threads.submit(() -> connect(run, rank)))
                            .toList();
        }
        return channels.stream().map(Future::resultNow).toList();
    }

    private Channel connect(UUID run, int rank) throws InterruptedException {
        List<String> workers = IntStream.range(0, members.size()).mapToObj(it -> "w" + it).toList();
        var identity = new RankIdentity(run, 1, rank, members.size(), key);
        return members.get(rank).channel(identity, workers, TIMEOUTS, new SystemTime());
    }

    @Override
    public void close() {
        members.forEach(HazelcastCluster::close);
    }
}
