package dev.equipoise.agent.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.io.Serializable;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HazelcastConfigurationIT {

    private static final int PORT = TestingPorts.free(1).getFirst();

    private final HazelcastInstance hazelcast =
            Hazelcast.newHazelcastInstance(
                    HazelcastConfiguration.of(
                            new ClusterSettings(
                                    "lab", "127.0.0.1", PORT, List.of(), "w1", "127.0.0.1:4000"),
                            PORT,
                            new HazelcastStreams()));

    @AfterEach
    void shutDown() {
        hazelcast.shutdown();
    }

    @Test
    void deserializesErrorsOnly() {
        var map = hazelcast.<String, Object>getMap("anything");
        map.set("error", new IllegalStateException("reason", new RuntimeException("cause")));
        map.set("object", new SerializablePayload());

        assertThat(map.get("error")).isInstanceOf(IllegalStateException.class);
        assertThatExceptionOfType(HazelcastSerializationException.class)
                .isThrownBy(() -> map.get("object"))
                .havingRootCause()
                .isInstanceOf(SecurityException.class);
    }

    /** A client may read every member, fill its heap and shut it down. */
    @Test
    void refusesClients() {
        var client = new ClientConfig().setClusterName("lab");
        client.setProperty("hazelcast.logging.type", "slf4j");
        client.getNetworkConfig().addAddress("127.0.0.1:" + PORT);
        // One attempt: without a limit a client tries forever.
        client.getConnectionStrategyConfig()
                .getConnectionRetryConfig()
                .setClusterConnectTimeoutMillis(1);

        assertThatIllegalStateException()
                .isThrownBy(() -> HazelcastClient.newHazelcastClient(client))
                .withMessageContaining("Unable to connect to any cluster");
        assertThat(hazelcast.getLifecycleService().isRunning()).isTrue();
    }

    private static final class SerializablePayload implements Serializable {
        private static final long serialVersionUID = 1;
    }
}
