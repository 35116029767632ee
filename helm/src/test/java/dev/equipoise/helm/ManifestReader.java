package dev.equipoise.helm;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads rendered manifests and rejects fields that Kubernetes does not know. */
final class ManifestReader {

    private static final Map<String, Class<?>> KINDS =
            Stream.concat(
                            Stream.of(
                                            ConfigMap.class,
                                            DaemonSet.class,
                                            Deployment.class,
                                            Ingress.class,
                                            NetworkPolicy.class,
                                            PersistentVolumeClaim.class,
                                            Pod.class,
                                            PodDisruptionBudget.class,
                                            Secret.class,
                                            Service.class,
                                            ServiceAccount.class,
                                            StatefulSet.class)
                                    .map(type -> Map.entry(idOf(type), (Class<?>) type)),
                            Stream.of(
                                    Map.entry(ScaledObject.ID, ScaledObject.class),
                                    Map.entry(Monitor.OF_SERVICES, Monitor.class),
                                    Map.entry(Monitor.OF_PODS, Monitor.class)))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

    /** The models would keep unknown fields; hiding their any-setter from Jackson prevents it. */
    private static final YAMLMapper YAML =
            YAMLMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .annotationIntrospector(
                            new JacksonAnnotationIntrospector() {
                                @Override
                                public Boolean hasAnySetter(
                                        MapperConfig<?> config, Annotated annotated) {
                                    return false;
                                }
                            })
                    .build();

    private ManifestReader() {}

    private static String idOf(Class<? extends HasMetadata> type) {
        return HasMetadata.getApiVersion(type) + " " + HasMetadata.getKind(type);
    }

    static List<Manifest> read(String rendered) {
        return YAML.readerFor(JsonNode.class).<JsonNode>readValues(rendered).readAll().stream()
                .filter(JsonNode::isObject)
                .map(ManifestReader::manifest)
                .toList();
    }

    private static Manifest manifest(JsonNode tree) {
        String kind = tree.path("kind").asString();
        String id = tree.path("apiVersion").asString() + " " + kind;
        Class<?> type = KINDS.get(id);
        if (type == null) {
            throw new IllegalArgumentException(
                    "kind %s is unknown: add its model to KINDS".formatted(id));
        }
        return new Manifest(
                kind,
                YAML.treeToValue(tree.path("metadata"), ObjectMeta.class),
                YAML.treeToValue(tree, type),
                tree);
    }
}
