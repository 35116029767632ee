package dev.equipoise.agent.cluster;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.RunKey;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.time.SystemTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HazelcastClusterIT {

    private final List<HazelcastCluster> clusters = new ArrayList<>();

    @AfterEach
    void leave() {
        clusters.forEach(HazelcastCluster::close);
    }

    @Test
    void membersDiscoverOneAnotherAndDetectALoss() {
        HazelcastCluster first = join("lab", "w1", 4001, List.of());
        assertThat(first.workers()).containsExactly("w1");

        HazelcastCluster second = join("lab", "w2", 4002, List.of(first.address()));
        HazelcastCluster third = join("lab", "w3", 4003, List.of(first.address()));

        for (var cluster : List.of(first, second, third)) {
            await().untilAsserted(
                            () -> assertThat(cluster.workers()).containsOnly("w1", "w2", "w3"));
            assertThat(cluster.dataAddress("w2"))
                    .contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4002));
            assertThat(cluster.dataAddress("w4")).isEmpty();
        }

        List<String> lost = new CopyOnWriteArrayList<>();
        try (var _ = first.onWorkerLost(lost::add);
                var _ = third.onWorkerLost(lost::add)) {
            second.close();

            await().untilAsserted(() -> assertThat(lost).containsExactly("w2", "w2"));
        }
        assertThat(first.workers()).containsOnly("w1", "w3");
        assertThat(third.workers()).containsOnly("w1", "w3");
        assertThat(third.dataAddress("w2")).isEmpty();
    }

    @Test
    void aClosedRegistrationIsNotCalled() {
        HazelcastCluster first = join("lab", "w1", 4001, List.of());
        HazelcastCluster second = join("lab", "w2", 4002, List.of(first.address()));
        await().until(() -> first.workers().size() == 2);
        List<String> lost = new CopyOnWriteArrayList<>();
        first.onWorkerLost(lost::add).close();

        second.close();

        await().until(() -> first.workers().size() == 1);
        assertThat(lost).isEmpty();
    }

    @Test
    void ignoresAClusterOfAnotherName() {
        HazelcastCluster ours = join("lab", "w1", 4001, List.of());

        HazelcastCluster theirs = join("other-lab", "w2", 4002, List.of(ours.address()));

        assertThat(theirs.workers()).containsExactly("w2");
        assertThat(ours.workers()).containsExactly("w1");
    }

    @Test
    void aStrangerUnderTheIdOfAWorkerDoesNotReplaceItsDataAddress() {
        HazelcastCluster first = join("lab", "w1", 4001, List.of());
        joinAfter(first, "w2", 4002);

        joinAfter(first, "w2", 9);

        assertThat(first.dataAddress("w2"))
                .contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4002));
    }

    /** Before and after the worker itself, so that neither the oldest nor the newest is right. */
    @Test
    void strangersUnderTheIdOfAWorkerDoNotKeepChannelsFromForming() throws Exception {
        HazelcastCluster first = join("lab", "w1", 4001, List.of());
        joinAfter(first, "w2", 9);
        HazelcastCluster second = joinAfter(first, "w2", 4002);
        joinAfter(first, "w2", 9);
        UUID run = UUID.randomUUID();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Channel> of0 = threads.submit(() -> channel(first, run, 0));
            Future<Channel> of1 = threads.submit(() -> channel(second, run, 1));
            try (Channel rank0 = of0.get();
                    Channel rank1 = of1.get()) {
                assertThat(List.of(rank0.rank(), rank1.rank())).containsExactly(0, 1);
            }
        }
    }

    private static Channel channel(HazelcastCluster member, UUID run, int rank)
            throws InterruptedException {
        return member.channel(
                new RankIdentity(run, 1, rank, 2, new RunKey(new byte[RunKey.BYTES])),
                List.of("w1", "w2"),
                new Timeouts(PATIENCE, PATIENCE),
                new SystemTime());
    }

    /** Joins another member, and waits until the first one sees it. */
    private HazelcastCluster joinAfter(HazelcastCluster first, String worker, int dataPort) {
        int before = first.addressesOf(worker).size();
        HazelcastCluster next = join("lab", worker, dataPort, List.of(first.address()));
        await().until(() -> first.addressesOf(worker).size() == before + 1);
        return next;
    }

    @Test
    void membersThatStartTogetherMergeIntoOneCluster() throws Exception {
        List<Integer> ports = TestingPorts.free(3);
        List<String> addresses = ports.stream().map(port -> "127.0.0.1:" + port).toList();
        List<Callable<HazelcastCluster>> joins = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            var settings =
                    new ClusterSettings(
                            "lab", "127.0.0.1", ports.get(i), addresses, "w" + i, "127.0.0.1:4000");
            joins.add(() -> HazelcastCluster.join(settings));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<HazelcastCluster> join : threads.invokeAll(joins)) {
                clusters.add(join.get());
            }
        }

        for (var cluster : clusters) {
            await().untilAsserted(
                            () -> assertThat(cluster.workers()).containsOnly("w0", "w1", "w2"));
        }
    }

    private HazelcastCluster join(String name, String worker, int dataPort, List<String> seeds) {
        var cluster =
                HazelcastCluster.join(
                        new ClusterSettings(
                                name, "127.0.0.1", 0, seeds, worker, "127.0.0.1:" + dataPort));
        clusters.add(cluster);
        return cluster;
    }
}
