package dev.equipoise.agent.cluster;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.RunGroup;
import dev.equipoise.agent.channel.RunKey;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** One member of a cluster per rank on the loopback, as if each were an agent of its own. */
public final class TestingMembers implements AutoCloseable {

    private static final Timeouts TIMEOUTS = new Timeouts(PATIENCE, PATIENCE);

    private final RunKey key = new RunKey(new byte[RunKey.BYTES]);
    private final List<HazelcastCluster> members = new ArrayList<>();

    /**
     * @param cluster of another name than those of other tests
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

    /** The channels of all ranks of a new run through Hazelcast, in their order. */
    public List<Channel> connectAll() {
        UUID run = UUID.randomUUID();
        List<Future<Channel>> channels;
        // Closed when all have met.
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
        var group = new RunGroup(run, 1, rank, members.size(), key);
        return members.get(rank).channel(group, workers, TIMEOUTS, new SystemTime());
    }

    @Override
    public void close() {
        members.forEach(HazelcastCluster::close);
    }
}
