package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.stereotype.Component;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Tells runs apart that take different times; those that differ by their seeds alone do not. */
@Component
class Likeness {

    private static final long ANY_SEED = 1;

    private final JsonMapper json;

    Likeness(JsonMapper json) {
        this.json =
                json.rebuild()
                        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                        .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                        .build();
    }

    /** The same for configurations that are alike: 64 hexadecimal digits. */
    String of(RunConfiguration configuration) {
        ObjectNode alike = json.valueToTree(configuration.withSeed(ANY_SEED));
        // When it makes room, is tried again or leaves a checkpoint changes nothing but when it
        // goes on.
        alike.remove("preemption");
        alike.remove("checkpoint");
        alike.remove("restarts");
        byte[] text = json.writeValueAsString(alike).getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
