package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LabelTest {

    private static final String RECOMMENDED = "app.kubernetes.io/";
    private static final String ANNOTATIONS = "/metadata/annotations";
    private static final int MAX_NAME_LENGTH = 63;
    private static final Pattern REMOVAL =
            Pattern.compile("delete (?<kinds>[a-z,]+) --selector (?<label>\\S+)=equipoise\n");

    /** Limit of a StatefulSet's name: a label of its pods appends a hash to it. */
    private static final int MAX_STATEFUL_SET_LENGTH = 52;

    @EveryRendering
    void objectsHaveTheRecommendedLabels(Rendering rendering) {
        assertThat(rendering.manifests())
                .extracting(it -> it.metadata().getLabels())
                .allSatisfy(labels ->
                        assertThat(labels)
                                .containsEntry(RECOMMENDED + "name", "equipoise")
                                .containsEntry(RECOMMENDED + "instance", Chart.RELEASE)
                                .containsEntry(RECOMMENDED + "part-of", "equipoise")
                                .containsEntry(RECOMMENDED + "managed-by", "Helm")
                                .containsKeys(
                                        RECOMMENDED + "component",
                                        RECOMMENDED + "version",
                                        "helm.sh/chart"));
    }

    /**
     * A version label would restart all agents on each upgrade, and the upgrade of claims would
     * fail.
     */
    @EveryRendering
    void podsAndClaimsHaveNoVersionLabel(Rendering rendering) {
        assertThat(Stream.concat(podMetadata(rendering), claimMetadata(rendering)))
                .isNotEmpty()
                .extracting(ObjectMeta::getLabels)
                .allSatisfy(labels ->
                        assertThat(labels)
                                .containsKeys(
                                        RECOMMENDED + "name",
                                        RECOMMENDED + "instance",
                                        RECOMMENDED + "component")
                                .doesNotContainKeys(RECOMMENDED + "version", "helm.sh/chart"));
    }

    private static Stream<ObjectMeta> podMetadata(Rendering rendering) {
        return rendering.pods(it -> !it.component().equals("test")).stream()
                .map(PodTemplate::metadata);
    }

    private static Stream<ObjectMeta> claimMetadata(Rendering rendering) {
        return rendering.all(StatefulSet.class).stream()
                .flatMap(it -> it.getSpec().getVolumeClaimTemplates().stream())
                .map(it -> it.getMetadata());
    }

    /** README.md deletes by this label what outlives the release. */
    @EveryRendering
    void objectsThatOutliveTheReleaseHaveTheLabelOfTheirRemoval(Rendering rendering)
            throws IOException {
        String page = Files.readString(Chart.FOLDER.resolve("README.md"));
        Matcher removal = REMOVAL.matcher(page);
        assertThat(removal.find()).isTrue();
        List<Manifest> kept =
                rendering.manifests().stream()
                        .filter(it -> it.tree().at(ANNOTATIONS).has("helm.sh/resource-policy"))
                        .toList();

        assertThat(kept)
                .extracting(it -> it.kind().toLowerCase(Locale.ROOT))
                .isSubsetOf(List.of(removal.group("kinds").split(",", -1)));
        assertThat(Stream.concat(kept.stream().map(Manifest::metadata), claimMetadata(rendering)))
                .extracting(ObjectMeta::getLabels)
                .allSatisfy(labels ->
                        assertThat(labels).containsEntry(removal.group("label"), Chart.RELEASE));
    }

    @Test
    void namesStayWithinTheLimitInALongRelease() {
        List<Manifest> manifests =
                ManifestReader.read(
                        Chart.render(
                                Chart.LONG_RELEASE,
                                """
                                agents:
                                  groups:
                                    - name: fifteen-letters
                                      replicas: 1
                                      threads: 1
                                      resources:
                                        requests: {cpu: 1, memory: 1Gi}
                                        limits: {memory: 1Gi}
                                """));

        assertThat(manifests)
                .allSatisfy(it -> {
                    assertThat(it.name())
                            .hasSizeLessThanOrEqualTo(
                                    it.kind().equals("StatefulSet")
                                            ? MAX_STATEFUL_SET_LENGTH
                                            : MAX_NAME_LENGTH);
                    assertThat(it.metadata().getLabels().values())
                            .allMatch(value -> value.length() <= MAX_NAME_LENGTH);
                });
    }

    @Test
    void namesDoNotRepeatAReleaseNamedLikeTheChart() {
        assertThat(ManifestReader.read(Chart.render("equipoise", "{}")))
                .filteredOn(it -> it.kind().equals("Service"))
                .extracting(Manifest::name)
                .containsExactlyInAnyOrder("equipoise", "equipoise-agents", "equipoise-database");
    }

    @Test
    void podsHaveTheirGroupAsALabel() {
        assertThat(Rendering.named("lab").pods("agents"))
                .extracting(PodTemplate::labels)
                .extracting((Map<String, String> labels) -> labels.get("equipoise.dev/group"))
                .containsExactlyInAnyOrder("fast", "slow");
    }
}
