package dev.equipoise.app.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.springframework.stereotype.Component;
import org.springframework.util.DigestUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The JSON Schema of definitions, which editors use to complete and check them. It is the file
 * {@code schema/definition.yaml}, read once.
 */
@Component
class DefinitionSchema {

    private static final String FILE = "/schema/definition.yaml";

    private final JsonNode tree;
    private final byte[] json;
    private final String digest;

    DefinitionSchema() {
        tree = read();
        json = tree.toString().getBytes(UTF_8);
        digest = DigestUtils.md5DigestAsHex(json);
    }

    private static JsonNode read() {
        try (InputStream file = DefinitionSchema.class.getResourceAsStream(FILE)) {
            return YAMLMapper.builder()
                    .build()
                    .readTree(Objects.requireNonNull(file, "the schema is on the class path"));
        } catch (IOException failure) {
            throw new UncheckedIOException("the schema of definitions cannot be read", failure);
        }
    }

    JsonNode tree() {
        return tree;
    }

    /** Returns the schema as JSON without line breaks, in UTF-8. */
    byte[] json() {
        return json.clone();
    }

    /** Returns the entity tag of the schema, which follows from its content. */
    String tag() {
        return "\"%s\"".formatted(digest);
    }
}
