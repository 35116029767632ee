package dev.equipoise.helm;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One rendered Kubernetes object.
 *
 * @param model the object as a Kubernetes model
 * @param tree the object as JSON
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
