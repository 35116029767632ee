package dev.equipoise.helm;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapEnvSource;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLS;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Checks that references between objects resolve. */
class ReferenceTest {

    @EveryRendering
    void selectorsMatchPodsOfOneComponent(Rendering rendering) {
        assertThat(rendering.manifests().stream().flatMap(it -> selectors(it.tree())))
                .isNotEmpty()
                .allSatisfy(selector ->
                        assertThat(rendering.pods(pod -> pod.isSelectedBy(selector)))
                                .extracting(PodTemplate::component)
                                .isNotEmpty()
                                .containsOnly(selector.get("app.kubernetes.io/component")));
    }

    /** Returns all pod selectors of an object. */
    private static Stream<Map<String, String>> selectors(JsonNode tree) {
        return Stream.of("selector", "podSelector", "labelSelector")
                .flatMap(name -> tree.findValues(name).stream())
                .map(it -> it.has("matchLabels") ? it.get("matchLabels") : it)
                .map(ReferenceTest::labels);
    }

    private static Map<String, String> labels(JsonNode selector) {
        return selector.properties().stream()
                .collect(toMap(Map.Entry::getKey, label -> label.getValue().asString()));
    }

    @EveryRendering
    void ownersSelectTheirOwnPodsOnly(Rendering rendering) {
        assertThat(rendering.pods())
                .filteredOn(pod -> !pod.component().equals("test"))
                .allSatisfy(pod -> {
                    Map<String, String> selector =
                            labels(pod.owner().tree().at("/spec/selector/matchLabels"));
                    assertThat(rendering.pods(it -> it.isSelectedBy(selector)))
                            .containsExactly(pod);
                });
    }

    /** The service must select the pods of the StatefulSet to give them DNS names. */
    @EveryRendering
    void statefulSetsNameTheServiceOfTheirPods(Rendering rendering) {
        assertThat(rendering.pods(pod -> pod.owner().kind().equals("StatefulSet")))
                .allSatisfy(pod -> {
                    String name = pod.owner().tree().at("/spec/serviceName").asString();
                    JsonNode service = rendering.manifest("Service", name).tree();
                    assertThat(pod.isSelectedBy(labels(service.at("/spec/selector")))).isTrue();
                });
    }

    @EveryRendering
    void podsHaveExactlyTheMountedVolumes(Rendering rendering) {
        assertThat(rendering.pods())
                .allSatisfy(pod -> {
                    Set<String> mounted =
                            pod.containers().stream()
                                    .flatMap(it -> it.getVolumeMounts().stream())
                                    .map(VolumeMount::getName)
                                    .collect(toSet());
                    Set<String> volumes = new HashSet<>(pod.claims());
                    pod.spec().getVolumes().forEach(it -> volumes.add(it.getName()));
                    assertThat(mounted).isEqualTo(volumes);
                });
    }

    @EveryRendering
    void secretsAreRenderedOrNamedInTheValues(Rendering rendering) {
        Set<String> known = rendering.names("Secret");
        known.addAll(
                external(
                        rendering.values(),
                        "existingSecret",
                        "caSecret",
                        "tlsSecret",
                        "pullSecrets"));

        assertThat(rendering.pods().stream().flatMap(ReferenceTest::secrets))
                .isNotEmpty()
                .isSubsetOf(known);
        assertThat(rendering.all(Ingress.class))
                .flatExtracting(it -> it.getSpec().getTls())
                .extracting(IngressTLS::getSecretName)
                .isSubsetOf(known);
    }

    @Test
    void everyPodHasThePullSecrets() {
        assertThat(Rendering.named("open").pods())
                .hasSizeGreaterThan(3)
                .allSatisfy(pod ->
                        assertThat(pod.spec().getImagePullSecrets())
                                .extracting(LocalObjectReference::getName)
                                .containsExactly("lab-images"));
    }

    private static Stream<String> secrets(PodTemplate pod) {
        return Stream.of(
                        SecretFile.all(pod).stream().map(SecretFile::secret),
                        pod.spec().getImagePullSecrets().stream()
                                .map(LocalObjectReference::getName))
                .flatMap(names -> names);
    }

    /** Returns the names under the given keys: texts, lists of texts, or objects with a name. */
    private static Set<String> external(JsonNode values, String... keys) {
        return Stream.of(keys)
                .flatMap(key -> values.findValues(key).stream())
                .flatMap(it -> it.isArray() ? it.valueStream() : Stream.of(it))
                .map(it -> it.isObject() ? it.get("name") : it)
                .map(JsonNode::asString)
                .filter(name -> !name.isEmpty())
                .collect(toSet());
    }

    @EveryRendering
    void renderedSecretsContainTheMountedKeys(Rendering rendering) {
        assertThat(rendering.pods().stream().flatMap(pod -> SecretFile.all(pod).stream()))
                .filteredOn(file -> rendering.names("Secret").contains(file.secret()))
                .allMatch(file ->
                        rendering
                                .manifest("Secret", file.secret())
                                .tree()
                                .path("data")
                                .has(file.key()));
    }

    @EveryRendering
    void configMapsAreRendered(Rendering rendering) {
        assertThat(rendering.pods())
                .flatExtracting(PodTemplate::containers)
                .flatExtracting(Container::getEnvFrom)
                .extracting(EnvFromSource::getConfigMapRef)
                .extracting(ConfigMapEnvSource::getName)
                .isNotEmpty()
                .isSubsetOf(rendering.names("ConfigMap"));
    }

    @EveryRendering
    void claimsAreRenderedOrNamedInTheValues(Rendering rendering) {
        Set<String> known = rendering.names("PersistentVolumeClaim");
        known.addAll(external(rendering.values(), "existingClaim"));

        assertThat(rendering.pods())
                .flatExtracting(pod -> pod.spec().getVolumes())
                .extracting(Volume::getPersistentVolumeClaim)
                .filteredOn(Objects::nonNull)
                .extracting(PersistentVolumeClaimVolumeSource::getClaimName)
                .isSubsetOf(known);
    }

    @EveryRendering
    void serviceAccountsAreRendered(Rendering rendering) {
        assertThat(rendering.pods())
                .extracting(pod -> pod.spec().getServiceAccountName())
                .isSubsetOf(rendering.names("ServiceAccount"));
    }

    @EveryRendering
    void scaledStatefulSetsExistWithoutReplicas(Rendering rendering) {
        assertThat(rendering.all(ScaledObject.class))
                .extracting(it -> it.spec().scaleTargetRef())
                .allSatisfy(target ->
                        assertThat(
                                        rendering
                                                .manifest(target.kind(), target.name())
                                                .as(StatefulSet.class))
                                .hasValueSatisfying(
                                        it -> assertThat(it.getSpec().getReplicas()).isNull()));
    }

    @Test
    void valuesFilesCoverEveryKindOfObject() {
        assertThat(Rendering.all().stream().map(Rendering::manifests).flatMap(Collection::stream))
                .extracting(Manifest::kind)
                .contains(
                        "DaemonSet",
                        "Ingress",
                        "PodDisruptionBudget",
                        "PodMonitor",
                        "ScaledObject",
                        "ServiceMonitor",
                        "StatefulSet");
    }
}
