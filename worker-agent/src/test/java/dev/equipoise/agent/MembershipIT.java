package dev.equipoise.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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
    private final Membership membership = Membership.join(SETTINGS, this::join);

    @AfterEach
    void leave() {
        joined.forEach(HazelcastCluster::close);
    }

    @Test
    void thatIsClosedJoinsNothingAgain() {
        membership.close();

        membership.rejoin(List.of());

        assertThat(membership.isOut()).isTrue();
        assertThat(joined).hasSize(1);
    }

    @Test
    void thatIsClosedWhileItJoinsLeavesAgain() {
        whileJoining = membership::close;

        membership.rejoin(List.of());

        assertThat(membership.isOut()).isTrue();
        assertThat(joined).hasSize(2).noneMatch(HazelcastCluster::isRunning);
    }

    private HazelcastCluster join(ClusterSettings settings) {
        whileJoining.run();
        HazelcastCluster cluster = HazelcastCluster.join(settings);
        joined.add(cluster);
        return cluster;
    }
}
