package dev.equipoise.app;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.stereotype.Component;

/**
 * Marks the fields that a request may leave out: those that may be null, of bodies and of the
 * schemas that only bodies have. In a response each field exists, also one that is null.
 */
@Component
class OptionalFields implements OpenApiCustomizer {

    private static final String NULL = "null";

    @Override
    public void customise(OpenAPI api) {
        Set<String> optional = new LinkedHashSet<>();
        Set<String> answered = new LinkedHashSet<>();
        Set<String> bodies = new LinkedHashSet<>();
        for (Operation operation : operations(api).toList()) {
            requested(operation)
                    .forEach(it -> {
                        bodies.addAll(names(it));
                        collect(it, api, optional);
                    });
            answered(operation).forEach(it -> collect(it, api, answered));
        }
        optional.removeAll(answered);
        optional.addAll(bodies);
        optional.forEach(it -> requireOnlyValues(schema(api, it)));
    }

    private static Stream<Operation> operations(OpenAPI api) {
        return api.getPaths().values().stream().flatMap(it -> it.readOperations().stream());
    }

    private static Stream<Schema<?>> requested(Operation operation) {
        return operation.getRequestBody() == null
                ? Stream.empty()
                : schemas(operation.getRequestBody().getContent());
    }

    private static Stream<Schema<?>> answered(Operation operation) {
        return operation.getResponses().values().stream().flatMap(it -> schemas(it.getContent()));
    }

    private static Stream<Schema<?>> schemas(@Nullable Content content) {
        return content == null
                ? Stream.empty()
                : content.values().stream()
                        .<Schema<?>>map(MediaType::getSchema)
                        .filter(Objects::nonNull);
    }

    private static Schema<?> schema(OpenAPI api, String name) {
        return Objects.requireNonNull(api.getComponents().getSchemas().get(name), name);
    }

    /** Adds the names of the schemas that a schema consists of. */
    private static void collect(Schema<?> schema, OpenAPI api, Set<String> names) {
        for (String name : names(schema)) {
            if (names.add(name)) {
                collect(schema(api, name), api, names);
            }
        }
        parts(schema).forEach(it -> collect(it, api, names));
    }

    /** Returns the name of the schema that a reference names; none for another schema. */
    private static List<String> names(Schema<?> schema) {
        String reference = schema.get$ref();
        return reference == null
                ? List.of()
                : List.of(reference.substring(reference.lastIndexOf('/') + 1));
    }

    private static List<Schema<?>> parts(Schema<?> schema) {
        List<Schema<?>> parts = new ArrayList<>(properties(schema).values());
        addAll(schema.getOneOf(), parts);
        addAll(schema.getAllOf(), parts);
        addAll(schema.getAnyOf(), parts);
        if (schema.getItems() != null) {
            parts.add(schema.getItems());
        }
        if (schema.getAdditionalProperties() instanceof Schema<?> values) {
            parts.add(values);
        }
        return parts;
    }

    private static void addAll(@Nullable Collection<?> schemas, List<Schema<?>> parts) {
        if (schemas != null) {
            schemas.forEach(it -> parts.add((Schema<?>) it));
        }
    }

    private static Map<String, Schema<?>> properties(Schema<?> schema) {
        Map<String, Schema<?>> properties = new LinkedHashMap<>();
        Map<String, ?> described = schema.getProperties();
        if (described != null) {
            described.forEach((name, it) -> properties.put(name, (Schema<?>) it));
        }
        return properties;
    }

    private static void requireOnlyValues(Schema<?> schema) {
        if (schema.getRequired() == null) {
            return;
        }
        Map<String, Schema<?>> properties = properties(schema);
        schema.setRequired(
                schema.getRequired().stream()
                        .filter(it -> !mayBeNull(Objects.requireNonNull(properties.get(it))))
                        .toList());
    }

    private static boolean mayBeNull(Schema<?> schema) {
        List<Schema<?>> choices = new ArrayList<>();
        addAll(schema.getOneOf(), choices);
        return (schema.getTypes() != null && schema.getTypes().contains(NULL))
                || choices.stream().anyMatch(OptionalFields::mayBeNull);
    }
}
