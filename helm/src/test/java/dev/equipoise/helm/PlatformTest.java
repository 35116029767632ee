package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class PlatformTest {

    private static final Set<String> OUR_IMAGES = Set.of("service", "agents");

    @EveryRendering
    void serviceAndAgentsRunWhereTheirImagesRun(Rendering rendering) {
        List<String> platforms =
                rendering
                        .values()
                        .at("/images/platforms")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList();

        assertThat(rendering.pods(pod -> OUR_IMAGES.contains(pod.component())))
                .hasSizeGreaterThan(1)
                .allSatisfy(pod ->
                        assertThat(required(pod))
                                .containsOnly(
                                        Map.entry("kubernetes.io/os", List.of("linux")),
                                        Map.entry("kubernetes.io/arch", platforms)));
    }

    @Test
    void imagesOfBothPlatformsAllowNodesOfBoth() {
        Rendering both = Rendering.of("images: {platforms: [amd64, arm64]}");

        assertThat(required(both.pod("agents")))
                .containsEntry("kubernetes.io/arch", List.of("amd64", "arm64"));
    }

    @Test
    void groupChoosesItsBackend() {
        String groups =
                "agents: {groups: [{name: a, replicas: 1, threads: 1, backend: nd4j, resources:"
                        + " {requests: {cpu: 1, memory: 1Gi}, limits: {memory: 1Gi}}}]}";

        assertThat(Rendering.of(groups).pod("agents").container().getArgs())
                .contains("--backend=nd4j");
        assertThat(Rendering.of("{}").pod("agents").container().getArgs())
                .noneMatch(it -> it.startsWith("--backend"));
    }

    /** Returns the values of the node labels that a pod requires. */
    private static Map<String, List<String>> required(PodTemplate pod) {
        return pod
                .spec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .getFirst()
                .getMatchExpressions()
                .stream()
                .filter(it -> it.getOperator().equals("In"))
                .collect(
                        Collectors.toMap(
                                NodeSelectorRequirement::getKey,
                                NodeSelectorRequirement::getValues));
    }
}
