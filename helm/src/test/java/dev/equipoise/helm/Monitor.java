package dev.equipoise.helm;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fields of a ServiceMonitor or PodMonitor of the Prometheus operator that the chart uses. */
record Monitor(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {

    static final String OF_SERVICES = "monitoring.coreos.com/v1 ServiceMonitor";
    static final String OF_PODS = "monitoring.coreos.com/v1 PodMonitor";

    /**
     * @param endpoints of services
     * @param podMetricsEndpoints of pods
     */
    record Spec(
            LabelSelector selector,
            @Nullable List<String> podTargetLabels,
            @Nullable List<Endpoint> endpoints,
            @Nullable List<Endpoint> podMetricsEndpoints) {

        List<Endpoint> all() {
            return Stream.of(endpoints, podMetricsEndpoints)
                    .filter(Objects::nonNull)
                    .flatMap(List::stream)
                    .toList();
        }
    }

    record Endpoint(String port, String path, String interval) {}
}
