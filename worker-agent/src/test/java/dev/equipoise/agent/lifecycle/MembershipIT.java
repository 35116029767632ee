package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MembershipIT {

    private static final ClusterSettings SETTINGS =
            new ClusterSettings(
                    "membership",
                    "127.0.0.1",
                    0,
                    List.of(),
                    UUID.randomUUID().toString(),
                    "127.0.0.1:4000");

    private final List<HazelcastCluster> joined = new ArrayList<>();
    private Runnable whileJoining = () -> {};
    private final Membership membership = Membership.join(SETTINGS, true, this::join);

    @AfterEach
    void leave() {
        joined.forEach(HazelcastCluster::close);
    }

    @Test
    void closedMembershipDoesNotRejoin() {
        membership.close();

        membership.rejoin(List.of());

        assertThat(membership.isOut()).isTrue();
        assertThat(joined).hasSize(1);
    }

    @Test
    void membershipClosedWhileJoiningLeavesAgain() {
        whileJoining = membership::close;

        membership.rejoin(List.of());

        assertThat(membership.isOut()).isTrue();
        assertThat(joined).hasSize(2).noneMatch(HazelcastCluster::isRunning);
    }

    @Test
    void fixedPortIsNeverReplaced() {
        int port = HostInspector.freePort("127.0.0.1");
        ClusterSettings settings = at(port);
        try (Membership fixed = Membership.join(settings, false, this::join)) {
            fixed.rejoin(List.of());

            assertThat(fixed.address()).isEqualTo("127.0.0.1:" + port);
            assertThatExceptionOfType(AgentFailed.class)
                    .isThrownBy(() -> Membership.join(settings, false, this::join))
                    .withMessageStartingWith(
                            "could not join the cluster at port %d, and no other was allowed: "
                                    .formatted(port));
        }
    }

    @Test
    void departureOfAWatchedPeerIsReported() {
        WorkerId first = worker(SETTINGS);
        ClusterSettings settings =
                new ClusterSettings(
                        SETTINGS.clusterName(),
                        SETTINGS.host(),
                        0,
                        List.of(membership.address()),
                        UUID.randomUUID().toString(),
                        "127.0.0.1:4001");
        WorkerId second = worker(settings);
        WorkerId neverSeen = WorkerId.of(UUID.randomUUID());
        List<Integer> left = new CopyOnWriteArrayList<>();
        try (Membership _ = Membership.join(settings, true, this::join)) {
            await().untilAsserted(() -> assertThat(membership.sees()).contains(first, second));
            membership.whenOneLeaves(List.of(first, second, neverSeen), left::add);
        }

        await().untilAsserted(() -> assertThat(left).containsExactly(1));
        membership.whenOneIsLost(List.of(first, second, neverSeen), left::add);
        assertThat(left).containsExactly(1, 1, 2);
    }

    private static WorkerId worker(ClusterSettings settings) {
        return WorkerId.of(UUID.fromString(settings.worker()));
    }

    private static ClusterSettings at(int port) {
        return new ClusterSettings(
                SETTINGS.clusterName(),
                SETTINGS.host(),
                port,
                SETTINGS.seeds(),
                SETTINGS.worker(),
                SETTINGS.dataAddress());
    }

    private HazelcastCluster join(ClusterSettings settings) {
        whileJoining.run();
        HazelcastCluster cluster = HazelcastCluster.join(settings);
        joined.add(cluster);
        return cluster;
    }
}
