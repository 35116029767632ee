package dev.equipoise.helm;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Map;

/** Fields of a KEDA ScaledObject that the chart uses. */
record ScaledObject(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {

    static final String ID = "keda.sh/v1alpha1 ScaledObject";

    record Spec(
            Target scaleTargetRef,
            int minReplicaCount,
            int maxReplicaCount,
            int cooldownPeriod,
            Advanced advanced,
            List<Trigger> triggers) {}

    record Target(String apiVersion, String kind, String name) {}

    record Advanced(AutoscalerConfig horizontalPodAutoscalerConfig) {}

    record AutoscalerConfig(Behavior behavior) {}

    record Behavior(Scaling scaleDown) {}

    record Scaling(int stabilizationWindowSeconds) {}

    /** Trigger of the type {@code prometheus}, whose metadata values are strings. */
    record Trigger(String type, Map<String, String> metadata) {}
}
