package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that the state folder, which makes an agent the same worker, outlives the pod. */
class AgentStateTest {

    private static final Path AGENT = Path.of("../worker-agent");
    private static final Pattern HOME = Pattern.compile("(?m)^ENV HOME=(\\S+)");

    private final Rendering own = Rendering.of("{}");
    private final Rendering everyNode = Rendering.named("every-node");

    /** Without XDG_STATE_HOME, the state folder is below the home that the image names. */
    @Test
    void stateFolderIsOnTheVolumeOfThePod() throws IOException {
        String home =
                HOME.matcher(Files.readString(AGENT.resolve("Dockerfile")))
                        .results()
                        .map((MatchResult it) -> it.group(1))
                        .findAny()
                        .orElseThrow();
        PodTemplate pod = own.pod("agents");

        assertThat(pod.container().getVolumeMounts())
                .filteredOn(it -> it.getMountPath().equals(home))
                .extracting(VolumeMount::getName)
                .containsExactlyElementsOf(pod.claims());
        assertThat(variables(pod, "XDG_STATE_HOME")).isEmpty();
    }

    @Test
    void volumeOutlivesARemovedAgentButNotTheRelease() {
        assertThat(Rendering.named("queue").all(StatefulSet.class))
                .filteredOn(it -> it.getMetadata().getName().contains("-agents-"))
                .extracting(it -> it.getSpec().getPersistentVolumeClaimRetentionPolicy())
                .hasSize(2)
                .allSatisfy(it -> {
                    assertThat(it.getWhenScaled()).isEqualTo("Retain");
                    assertThat(it.getWhenDeleted()).isEqualTo("Delete");
                });
    }

    @Test
    void volumesHaveTheStorageClassOfTheValues() {
        assertThat(Rendering.named("lab").all(StatefulSet.class))
                .hasSize(2)
                .flatExtracting(it -> it.getSpec().getVolumeClaimTemplates())
                .extracting(PersistentVolumeClaim::getSpec)
                .allMatch(it -> it.getStorageClassName().equals("local"));
    }

    @Test
    void everyAgentHasAFolderOfItsOwnOnTheSharedClaim() {
        assertThat(everyNode.pods("agents"))
                .hasSize(2)
                .allSatisfy(pod -> {
                    VolumeMount mount = stateMount(pod);
                    assertThat(variables(pod, "XDG_STATE_HOME"))
                            .containsExactly(mount.getMountPath());
                    assertThat(mount.getSubPathExpr())
                            .isEqualTo(pod.owner().name() + "/$(WORKER_NAME)");
                    assertThat(pod.container().getArgs())
                            .anyMatch(it -> it.startsWith("--name=$(WORKER_NAME)"));
                    assertThat(claimOf(pod)).isEqualTo("lab-state");
                });
    }

    /** State folder and journals are below this variable. */
    @Test
    void agentReadsTheVariable() {
        Path sources = AGENT.resolve("src/main/java/dev/equipoise/agent");

        assertThat(List.of("lifecycle/StateFolder.java", "service/Journals.java"))
                .allSatisfy(it ->
                        assertThat(sources.resolve(it)).content().contains("\"XDG_STATE_HOME\""));
    }

    @Test
    void sharedClaimMayReplaceTheVolumesOfAStatefulSet() {
        PodTemplate pod =
                Rendering.of("agents: {volume: {persistent: false}, state: {existingClaim: all}}")
                        .pod("agents");

        assertThat(pod.claims()).isEmpty();
        assertThat(claimOf(pod)).isEqualTo("all");
        assertThat(stateMount(pod).getSubPathExpr())
                .isEqualTo("lab-equipoise-agents-workers/$(WORKER_NAME)");
    }

    @Test
    void homeIsTemporaryWithoutAVolume() {
        PodSpec spec = Rendering.of("agents: {volume: {persistent: false}}").pod("agents").spec();

        assertThat(spec.getVolumes())
                .filteredOn(it -> it.getName().equals("home"))
                .extracting(it -> it.getEmptyDir().getSizeLimit())
                .containsExactly(new Quantity("10Gi"));
        assertThat(everyNode.pods("agents"))
                .allMatch(pod -> pod.volume("home").getEmptyDir() != null);
    }

    private static List<String> variables(PodTemplate pod, String name) {
        return pod.container().getEnv().stream()
                .filter(it -> it.getName().equals(name))
                .map(EnvVar::getValue)
                .toList();
    }

    private static VolumeMount stateMount(PodTemplate pod) {
        return pod.container().getVolumeMounts().stream()
                .filter(it -> it.getName().equals("state"))
                .findAny()
                .orElseThrow();
    }

    private static String claimOf(PodTemplate pod) {
        return pod.volume("state").getPersistentVolumeClaim().getClaimName();
    }
}
