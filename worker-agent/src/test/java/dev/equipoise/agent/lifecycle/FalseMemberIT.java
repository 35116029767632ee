package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.DataServer;
import dev.equipoise.agent.channel.RunKey;
import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.WorkerId;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests agents in a cluster with a stranger that has joined under the id of one of them, and claims
 * a data address at which nobody answers.
 */
class FalseMemberIT {

    private static final String CLUSTER = "false-member";
    private static final String NOBODY = "127.0.0.1:9";

    private final SecureRandom random = new SecureRandom();
    private final WorkerId one = WorkerId.of(UUID.randomUUID());
    private final WorkerId other = WorkerId.of(UUID.randomUUID());
    private final DataServer dataOfOne = DataServer.open("127.0.0.1", random);
    private final DataServer dataOfOther = DataServer.open("127.0.0.1", random);
    private final Membership membershipOfOther =
            Membership.join(settings(other, addressOf(dataOfOther), List.of()), true);
    private final HazelcastCluster stranger =
            HazelcastCluster.join(settings(one, NOBODY, List.of(membershipOfOther.address())));
    private final Membership membershipOfOne =
            Membership.join(
                    settings(one, addressOf(dataOfOne), List.of(membershipOfOther.address())),
                    true);

    @AfterEach
    void close() {
        membershipOfOne.close();
        stranger.close();
        membershipOfOther.close();
        dataOfOne.close();
        dataOfOther.close();
    }

    private static ClusterSettings settings(
            WorkerId worker, String dataAddress, List<String> seeds) {
        return new ClusterSettings(CLUSTER, "127.0.0.1", 0, seeds, worker.toString(), dataAddress);
    }

    private static String addressOf(DataServer server) {
        return HostInspector.address("127.0.0.1", server.address().getPort());
    }

    /** Rank 1 calls rank 0, under whose id the stranger has joined. */
    @Test
    void ranksMeetAtTheAddressesThatTheServiceNames() throws Exception {
        await().until(() -> membershipOfOne.sees().contains(other));
        UUID session = UUID.randomUUID();
        List<String> addresses = List.of(addressOf(dataOfOne), addressOf(dataOfOther));

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Channel> of0 =
                    threads.submit(() ->
                            rendezvous(dataOfOne, membershipOfOne)
                                    .meet(assignment(session, 0, addresses)));
            Future<Channel> of1 =
                    threads.submit(() ->
                            rendezvous(dataOfOther, membershipOfOther)
                                    .meet(assignment(session, 1, addresses)));
            try (Channel rank0 = of0.get();
                    Channel rank1 = of1.get()) {
                assertThat(List.of(rank0.rank(), rank1.rank())).containsExactly(0, 1);
            }
        }
    }

    @Test
    void memberUnderTheIdOfAWorkerIsSeenAsThisWorker() {
        Assignment.Joint assignment = assignment(UUID.randomUUID(), 1, null);

        assertThat(rendezvous(dataOfOther, membershipOfOther).missing(assignment)).isEmpty();
        membershipOfOne.close();
        stranger.close();
        await().untilAsserted(() ->
                assertThat(rendezvous(dataOfOther, membershipOfOther).missing(assignment))
                        .containsExactly(0));
    }

    private static ClusterRendezvous rendezvous(DataServer server, Membership membership) {
        return new ClusterRendezvous(server, membership, TestingTimeouts.PATIENT, new SystemTime());
    }

    private Assignment.Joint assignment(UUID session, int rank, @Nullable List<String> addresses) {
        return new Assignment.LinkProfiling(
                AssignmentId.of(UUID.randomUUID()),
                1,
                session,
                rank,
                List.of(one, other),
                Base64.getEncoder().encodeToString(new byte[RunKey.BYTES]),
                addresses);
    }
}
