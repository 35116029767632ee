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

/** What objects say of one another is so. */
class ReferenceTest {

    @EveryRendering
    void selectorsChoosePodsOfOneComponent(Rendering rendering) {
        assertThat(rendering.manifests().stream().flatMap(it -> selectors(it.tree())))
                .isNotEmpty()
                .allSatisfy(selector ->
                        assertThat(rendering.pods(pod -> pod.isChosenBy(selector)))
                                .extracting(PodTemplate::component)
                                .isNotEmpty()
                                .containsOnly(selector.get("app.kubernetes.io/component")));
    }

    /** All that are anywhere in it, but for those of namespaces and nodes, and of others. */
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
    void whatMakesPodsKnowsItsOwnAndNoOthers(Rendering rendering) {
        assertThat(rendering.pods())
                .filteredOn(pod -> !pod.component().equals("test"))
                .allSatisfy(pod -> {
                    Map<String, String> selector =
                            labels(pod.owner().tree().at("/spec/selector/matchLabels"));
                    assertThat(rendering.pods(it -> it.isChosenBy(selector))).containsExactly(pod);
                });
    }

    /** Its own: another one would not know its pods by their names. */
    @EveryRendering
    void statefulSetsHaveTheServiceOfTheirPods(Rendering rendering) {
        assertThat(rendering.pods(pod -> pod.owner().kind().equals("StatefulSet")))
                .allSatisfy(pod -> {
                    String name = pod.owner().tree().at("/spec/serviceName").asString();
                    JsonNode service = rendering.manifest("Service", name).tree();
                    assertThat(pod.isChosenBy(labels(service.at("/spec/selector")))).isTrue();
                });
    }

    @EveryRendering
    void volumesThatAreMountedAreThereAndNoOthers(Rendering rendering) {
        assertThat(rendering.pods())
                .allSatisfy(pod -> {
                    Set<String> mounted =
                            pod.containers().stream()
                                    .flatMap(it -> it.getVolumeMounts().stream())
                                    .map(VolumeMount::getName)
                                    .collect(toSet());
                    Set<String> there = new HashSet<>(pod.claims());
                    pod.spec().getVolumes().forEach(it -> there.add(it.getName()));
                    assertThat(mounted).isEqualTo(there);
                });
    }

    @EveryRendering
    void secretsAreMadeOrNamedByTheValues(Rendering rendering) {
        Set<String> known = rendering.names("Secret");
        known.addAll(
                foreign(
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

    private static Stream<String> secrets(PodTemplate pod) {
        return Stream.of(
                        SecretFile.all(pod).stream().map(SecretFile::secret),
                        pod.spec().getImagePullSecrets().stream()
                                .map(LocalObjectReference::getName))
                .flatMap(names -> names);
    }

    /** Texts of such names, whether by themselves, in lists, or as the name in an object. */
    private static Set<String> foreign(JsonNode values, String... keys) {
        return Stream.of(keys)
                .flatMap(key -> values.findValues(key).stream())
                .flatMap(it -> it.isArray() ? it.valueStream() : Stream.of(it))
                .map(it -> it.isObject() ? it.get("name") : it)
                .map(JsonNode::asString)
                .filter(name -> !name.isEmpty())
                .collect(toSet());
    }

    @EveryRendering
    void keysOfSecretsThatAreMadeAreInThem(Rendering rendering) {
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
    void configMapsAreMade(Rendering rendering) {
        assertThat(rendering.pods())
                .flatExtracting(PodTemplate::containers)
                .flatExtracting(Container::getEnvFrom)
                .extracting(EnvFromSource::getConfigMapRef)
                .extracting(ConfigMapEnvSource::getName)
                .isNotEmpty()
                .isSubsetOf(rendering.names("ConfigMap"));
    }

    @EveryRendering
    void claimsAreMadeOrNamedByTheValues(Rendering rendering) {
        Set<String> known = rendering.names("PersistentVolumeClaim");
        known.addAll(foreign(rendering.values(), "existingClaim"));

        assertThat(rendering.pods())
                .flatExtracting(pod -> pod.spec().getVolumes())
                .extracting(Volume::getPersistentVolumeClaim)
                .filteredOn(Objects::nonNull)
                .extracting(PersistentVolumeClaimVolumeSource::getClaimName)
                .isSubsetOf(known);
    }

    @EveryRendering
    void serviceAccountsAreMade(Rendering rendering) {
        assertThat(rendering.pods())
                .extracting(pod -> pod.spec().getServiceAccountName())
                .isSubsetOf(rendering.names("ServiceAccount"));
    }

    @EveryRendering
    void whatIsScaledIsThereAndSaysNothingOfItsSize(Rendering rendering) {
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
    void theFilesOfValuesShowEveryKindOfObject() {
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
