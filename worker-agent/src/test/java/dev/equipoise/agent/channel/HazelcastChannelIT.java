package dev.equipoise.agent.channel;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import dev.equipoise.agent.time.SystemTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HazelcastChannelIT extends ChannelContract {

    private static final int MAX_RANKS = 5;
    private static final Timeouts TIMEOUTS = new Timeouts(PATIENCE, PATIENCE);
    private static final List<HazelcastCluster> MEMBERS = new ArrayList<>();

    @BeforeAll
    static void formCluster() {
        for (int i = 0; i < MAX_RANKS; i++) {
            List<String> seeds = MEMBERS.stream().map(HazelcastCluster::address).toList();
            MEMBERS.add(
                    HazelcastCluster.join(
                            new ClusterSettings(
                                    "channels", "127.0.0.1", 0, seeds, "w" + i, "127.0.0.1:1")));
        }
        await().until(() -> MEMBERS.stream().allMatch(it -> it.workers().size() == MAX_RANKS));
    }

    @AfterAll
    static void leave() {
        MEMBERS.forEach(HazelcastCluster::close);
    }

    @Override
    protected List<Channel> join(int size) {
        return meet(size, UUID.randomUUID(), key());
    }

    @Test
    void rejectsAPeerWithAnotherKey() {
        var brief = new Timeouts(Duration.ofMillis(300), Duration.ofSeconds(1));
        var identity = new RankIdentity(UUID.randomUUID(), 1, 0, 2, new RunKey(key()));

        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() ->
                        MEMBERS.getFirst()
                                .channel(identity, List.of("w0", "w1"), brief, new SystemTime()))
                .withMessageContaining("rank 1, worker w1, does not answer");
    }

    @Test
    void lostRankEndsTheRendezvous() {
        var identity = new RankIdentity(UUID.randomUUID(), 1, 0, 2, new RunKey(key()));
        var rendezvous = PendingRendezvous.within(TIMEOUTS.connect());

        rendezvous.lose(1);

        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() ->
                        MEMBERS.getFirst()
                                .channel(identity, List.of("w0", "w1"), TIMEOUTS, rendezvous))
                .withMessage("rank 1 left the cluster during the rendezvous");
    }

    private static List<Channel> meet(int size, UUID run, byte[] key) {
        List<String> workers = IntStream.range(0, size).mapToObj(i -> "w" + i).toList();
        List<Callable<Channel>> tasks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            var identity = new RankIdentity(run, 1, rank, size, new RunKey(key));
            HazelcastCluster member = MEMBERS.get(rank);
            tasks.add(() -> member.channel(identity, workers, TIMEOUTS, new SystemTime()));
        }
        return TestingRanks.callAll(tasks);
    }

    private static byte[] key() {
        byte[] key = new byte[RunKey.BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }
}
