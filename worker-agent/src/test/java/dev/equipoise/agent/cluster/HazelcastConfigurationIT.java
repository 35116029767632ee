package dev.equipoise.agent.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

    private static final class SerializablePayload implements Serializable {
        private static final long serialVersionUID = 1;
    }
}
