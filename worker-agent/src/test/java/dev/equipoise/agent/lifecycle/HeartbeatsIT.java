package dev.equipoise.agent.lifecycle;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastException;
import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.service.ServiceEndpoint;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.testing.Patience;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatsIT {

    private final TestingLab lab = new TestingLab();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicBoolean isClusterFailing = new AtomicBoolean();

    @AfterEach
    void stop() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        lab.close();
    }

    @Test
    void continueWithoutAClusterAndRetryToJoin() throws InterruptedException {
        ServiceClient service =
                ServiceClient.register(
                        ServiceEndpoint.of(lab.url()),
                        PATIENCE,
                        TestingLab.JOIN_TOKEN,
                        new Registration(
                                "alpha",
                                new HostDescription(
                                        "host", 2, 1, 1L << 30, "Linux amd64", "oneDNN", 1),
                                "127.0.0.1:1",
                                Map.of(),
                                Credential.random(new SecureRandom())));
        WorkerId id = service.admission().worker();
        try (var membership = Membership.join(settings(id), true, this::join)) {
            String address = membership.address();
            Future<?> _ =
                    threads.submit(
                            new Heartbeats(
                                    service,
                                    membership,
                                    Runnable::run,
                                    () -> {},
                                    () -> {},
                                    () -> {},
                                    new Probes(threads, (_, _) -> Optional.empty()),
                                    new FolderReports(List::of, Runnable::run, new SystemTime()),
                                    new SystemTime()));
            await().until(() -> lab.seenBy(id).contains(id));

            isClusterFailing.set(true);
            lab.askToRejoin(id);
            await().until(() -> lab.seenBy(id).isEmpty());
            assertThat(membership.isOut()).isTrue();
            assertThat(membership.address()).isEqualTo(address);

            isClusterFailing.set(false);
            await().until(() -> lab.seenBy(id).contains(id));
            threads.shutdownNow();
        }
    }

    private HazelcastCluster join(ClusterSettings settings) {
        if (isClusterFailing.get()) {
            throw new HazelcastException("no cluster in this test");
        }
        return HazelcastCluster.join(settings);
    }

    private static ClusterSettings settings(WorkerId id) {
        return new ClusterSettings(
                "heartbeats", "127.0.0.1", 0, List.of(), id.toString(), "127.0.0.1:4000");
    }
}
