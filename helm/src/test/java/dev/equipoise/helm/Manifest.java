package dev.equipoise.helm;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One object that the chart makes.
 *
 * @param model what it is to Kubernetes
 * @param tree the same as it was written
 */
record Manifest(String kind, ObjectMeta metadata, Object model, JsonNode tree) {

    String name() {
        return metadata.getName();
    }

    <T> Optional<T> as(Class<T> type) {
        return type.isInstance(model) ? Optional.of(type.cast(model)) : Optional.empty();
    }

    @Override
    public String toString() {
        return kind + " " + name();
    }
}
