package dev.equipoise.app.queue;

import dev.equipoise.app.configuration.RunConfiguration;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.stereotype.Component;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Computes workload keys: runs that differ in their seed only have the same key, since they take
 * equal time.
 */
@Component
public class WorkloadKey {

    private static final long ANY_SEED = 1;

    private final JsonMapper json;

    WorkloadKey(JsonMapper json) {
        this.json =
                json.rebuild()
                        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                        .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                        .build();
    }

    /** Returns the workload key of a configuration, a SHA-256 digest of 64 hexadecimal digits. */
    public String of(RunConfiguration configuration) {
        ObjectNode alike = json.valueToTree(configuration.withSeed(ANY_SEED));
        // Preemption, restarts and checkpoints change when a run continues, not how long it takes.
        alike.remove("preemption");
        alike.remove("checkpoint");
        alike.remove("restarts");
        // Models change what the run begins with and leaves behind, not how long it takes.
        alike.remove("keepModel");
        alike.remove("initial");
        byte[] text = json.writeValueAsString(alike).getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
