package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentTest {

    private static final String FAST = "lab-equipoise-agents-fast";
    private static final long SHUTDOWN_SECONDS = 15;
    private static final Pattern OPTIONS = Pattern.compile("EQUIPOISE_JAVA_OPTIONS=\"(.+)\"");
    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)m\\b");

    /** Size of the shared memory, in MiB. */
    private static final long SHARED = 256;

    private final Rendering own = Rendering.of("{}");
    private final Rendering lab = Rendering.named("lab");
    private final Rendering everyNode = Rendering.named("every-node");
    private final Rendering queue = Rendering.named("queue");

    @Test
    void argumentsNameTheServiceAndTheAgentsOwnAddress() throws IOException {
        Container agent = agents(lab, FAST).container();

        assertThat(agent.getCommand()).isEmpty();
        assertThat(agent.getArgs())
                .containsExactly(
                        "--service=http://lab-equipoise:8080/equipoise",
                        "--name=$(WORKER_NAME)",
                        "--host=$(POD_IP)",
                        "--port=5701",
                        "--data-port=5702",
                        "--status-port=8081",
                        "--members=lab-equipoise-agents:5701",
                        "--threads=8",
                        "--join-timeout=600",
                        "--label=machine=fast",
                        "--label=zone=lab");
        assertThat(agent.getEnv())
                .extracting(EnvVar::getName, AgentTest::source)
                .containsExactly(
                        tuple("WORKER_NAME", "metadata.name"),
                        tuple("POD_IP", "status.podIP"),
                        tuple("EQUIPOISE_DATASETS", "/datasets"),
                        tuple("EQUIPOISE_JAVA_OPTIONS", optionsOfTheImage() + " -Xmx384m"),
                        tuple("EQUIPOISE_JOIN_TOKEN_FILE", "/run/secrets/equipoise/join-token"),
                        tuple("EQUIPOISE_LOG", "json"),
                        tuple(
                                "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
                                "http://collector.monitoring:4318/v1/traces"),
                        tuple("TZ", "Europe/Vienna"));
        assertThat(agent.getPorts())
                .extracting(ContainerPort::getName, ContainerPort::getContainerPort)
                .containsExactly(
                        tuple("hazelcast", 5701), tuple("data", 5702), tuple("status", 8081));
    }

    /** The variable replaces that of the image, so it must repeat its options. */
    private static String optionsOfTheImage() throws IOException {
        Matcher options = OPTIONS.matcher(Files.readString(Path.of("../worker-agent/Dockerfile")));
        assertThat(options.find()).isTrue();
        return options.group(1);
    }

    @Test
    void imageReadsItsOptionsFromTheVariable() {
        assertThat(Path.of("../worker-agent/src/main/package/bin/equipoise-agent"))
                .content()
                .contains("${EQUIPOISE_JAVA_OPTIONS:-");
        assertThat(own.pod("agents").container().getEnv())
                .extracting(EnvVar::getName)
                .doesNotContain("EQUIPOISE_JAVA_OPTIONS");
    }

    /** An agent with an unknown option does not start. */
    @EveryRendering
    void argumentsAreOptionsOfTheAgent(Rendering rendering) throws IOException {
        String options = Files.readString(Path.of("../docs/configuration.md"));

        assertThat(rendering.pods("agents"))
                .flatExtracting(pod -> pod.container().getArgs())
                .isNotEmpty()
                .allMatch(it -> options.contains("\n| `" + it.substring(0, it.indexOf('=')) + " "));
    }

    /** An agent ignores unknown variables, so a misspelled one would go unnoticed. */
    @ParameterizedTest
    @CsvSource({
        "EQUIPOISE_DATASETS, dataset/DatasetSettings.java",
        "EQUIPOISE_JOIN_TOKEN_FILE, lifecycle/Agent.java",
        "EQUIPOISE_LOG, lifecycle/Agent.java",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, trace/RunTracer.java",
    })
    void agentReadsTheVariables(String variable, String source) {
        Path agent = Path.of("../worker-agent/src/main/java/dev/equipoise/agent");

        assertThat(agents(lab, FAST).container().getEnv())
                .extracting(EnvVar::getName)
                .contains(variable);
        assertThat(agent.resolve(source)).content().containsPattern("[\":]" + variable + "[\"}]");
    }

    @Test
    void environmentOfTheValuesTakesPrecedence() {
        Rendering other = Rendering.of("agents: {structuredLog: true, env: {EQUIPOISE_LOG: text}}");

        assertThat(other.pod("agents").container().getEnv())
                .filteredOn(it -> it.getName().equals("EQUIPOISE_LOG"))
                .extracting(EnvVar::getValue)
                .containsExactly("text");
    }

    @Test
    void allAgentsMountExistingDataSetsReadOnly() {
        assertThat(lab.pods("agents"))
                .hasSize(2)
                .allSatisfy(pod -> {
                    assertThat(pod.volume("datasets").getPersistentVolumeClaim().getClaimName())
                            .isEqualTo("lab-datasets");
                    assertThat(pod.volume("datasets").getPersistentVolumeClaim().getReadOnly())
                            .isTrue();
                    assertThat(pod.container().getVolumeMounts())
                            .filteredOn(it -> it.getMountPath().equals("/datasets"))
                            .singleElement()
                            .satisfies(it -> assertThat(it.getReadOnly()).isTrue());
                });
        assertThat(own.pod("agents").container().getEnv())
                .extracting(EnvVar::getName)
                .doesNotContain("EQUIPOISE_DATASETS", "EQUIPOISE_LOG");
    }

    private static String source(EnvVar variable) {
        return variable.getValueFrom() == null
                ? variable.getValue()
                : variable.getValueFrom().getFieldRef().getFieldPath();
    }

    @Test
    void argumentsUseEveryVariableOfThePod() {
        Container agent = own.pod("agents").container();

        assertThat(agent.getEnv())
                .filteredOn(it -> it.getValueFrom() != null)
                .isNotEmpty()
                .allMatch(it -> agent.getArgs().toString().contains("$(" + it.getName() + ")"));
    }

    /** The size is that of compose.yaml. */
    @EveryRendering
    void agentsMountSharedMemory(Rendering rendering) {
        assertThat(rendering.pods("agents"))
                .isNotEmpty()
                .allSatisfy(pod -> {
                    String volume = mountedAt("/dev/shm", pod);
                    assertThat(pod.volume(volume).getEmptyDir().getMedium()).isEqualTo("Memory");
                    assertThat(pod.volume(volume).getEmptyDir().getSizeLimit())
                            .isEqualTo(new Quantity("256Mi"));
                });
    }

    /** Native libraries need about as much memory as the heap of an agent. */
    @EveryRendering
    void configuredHeapLeavesMemoryForNativeLibraries(Rendering rendering) {
        String options = rendering.values().at("/agents/javaOptions").asString();
        Matcher heap = HEAP.matcher(options);
        long mebibytes = heap.find() ? Long.parseLong(heap.group(1)) : 0;

        assertThat(rendering.pods("agents"))
                .allSatisfy(pod -> {
                    Map<String, Quantity> limits = pod.container().getResources().getLimits();
                    Quantity limit = Objects.requireNonNull(limits.get("memory"));
                    assertThat(2 * mebibytes + SHARED)
                            .isLessThanOrEqualTo(limit.getNumericalAmount().longValue() >> 20);
                });
        assertThat(options.contains("-Xmx")).isEqualTo(mebibytes > 0);
    }

    private static String mountedAt(String path, PodTemplate pod) {
        return pod.container().getVolumeMounts().stream()
                .filter(it -> it.getMountPath().equals(path))
                .map(VolumeMount::getName)
                .findAny()
                .orElseThrow();
    }

    @Test
    void probesRequestTheStatusPort() {
        assertThat(own.pod("agents").probes())
                .extracting(
                        it -> it.getHttpGet().getPort().getStrVal(),
                        it -> it.getHttpGet().getPath())
                .containsExactly(
                        tuple("status", "/live"),
                        tuple("status", "/live"),
                        tuple("status", "/ready"));
    }

    @EveryRendering
    void gracePeriodCoversTheShutdown(Rendering rendering) {
        assertThat(rendering.pods("agents"))
                .isNotEmpty()
                .allMatch(pod ->
                        pod.spec().getTerminationGracePeriodSeconds() >= 2 * SHUTDOWN_SECONDS);
    }

    /** The service includes agents that are not ready, since these wait for one another. */
    @EveryRendering
    void headlessServiceCoversTheAgentsOfAllGroups(Rendering rendering) {
        ServiceSpec service =
                rendering
                        .manifest("Service", "lab-equipoise-agents")
                        .as(Service.class)
                        .orElseThrow()
                        .getSpec();

        assertThat(service.getClusterIP()).isEqualTo("None");
        assertThat(service.getPublishNotReadyAddresses()).isTrue();
        assertThat(rendering.pods(pod -> pod.isSelectedBy(service.getSelector())))
                .isEqualTo(rendering.pods("agents"))
                .hasSize(rendering.values().at("/agents/groups").size());
    }

    @Test
    void groupsFollowTheirValues() {
        PodTemplate fast = agents(lab, FAST);

        assertThat(spec(lab, FAST).getReplicas()).isEqualTo(2);
        assertThat(fast.spec().getNodeSelector()).containsEntry("pool", "fast");
        assertThat(fast.spec().getTolerations()).hasSize(1);
        assertThat(fast.container().getResources().getLimits())
                .containsEntry("cpu", new Quantity("8"));
        assertThat(spec(lab, "lab-equipoise-agents-slow").getReplicas()).isEqualTo(4);
        assertThat(agents(lab, "lab-equipoise-agents-slow").container().getArgs())
                .contains("--threads=1", "--label=machine=slow");
    }

    @Test
    void agentsOfAGroupStartInParallel() {
        assertThat(spec(lab, FAST).getPodManagementPolicy()).isEqualTo("Parallel");
    }

    @Test
    void daemonSetNamesAgentsAfterTheirNode() {
        assertThat(everyNode.all(DaemonSet.class)).hasSize(2);
        assertThat(everyNode.pods("agents"))
                .allMatch(pod ->
                        pod.owner().kind().equals("DaemonSet")
                                && source(pod.container().getEnv().getFirst())
                                        .equals("spec.nodeName"));
    }

    /** A node may belong to two groups. */
    @Test
    void daemonSetAppendsTheGroupToTheNameIfThereAreSeveral() {
        assertThat(everyNode.pods("agents"))
                .extracting(pod -> pod.container().getArgs().get(1))
                .containsExactly("--name=$(WORKER_NAME)-desktops", "--name=$(WORKER_NAME)-servers");
        assertThat(Rendering.of("agents: {kind: DaemonSet}").pod("agents").container().getArgs())
                .contains("--name=$(WORKER_NAME)");
    }

    @Test
    void autoscalingFollowsTheWaitingRuns() {
        ScaledObject scaled = queue.only(ScaledObject.class);
        ScaledObject.Trigger trigger = scaled.spec().triggers().getFirst();

        assertThat(scaled.spec().scaleTargetRef().name()).isEqualTo("lab-equipoise-agents-bursty");
        assertThat(List.of(scaled.spec().minReplicaCount(), scaled.spec().maxReplicaCount()))
                .containsExactly(0, 12);
        assertThat(trigger.type()).isEqualTo("prometheus");
        assertThat(trigger.metadata())
                .containsEntry("serverAddress", "http://prometheus.monitoring:9090")
                .containsEntry("threshold", "1")
                .containsEntry(
                        "query",
                        "(max(equipoise_queue_runs{namespace=\"training\", state=\"waiting\"}) or vector(0)) * 3"
                                + " + (max(equipoise_workers{namespace=\"training\", state=\"busy\"}) or vector(0))");
        assertThat(spec(queue, "lab-equipoise-agents-steady").getReplicas()).isEqualTo(2);
        assertThat(own.all(ScaledObject.class)).isEmpty();
    }

    @Test
    void autoscalingQueriesRegisteredMeters() {
        Path service = Path.of("../app/src/main/java/dev/equipoise/app");

        assertThat(RegisteredMeters.all()).contains("equipoise_queue_runs", "equipoise_workers");
        assertThat(service.resolve("observability/LabGauges.java"))
                .content()
                .containsPattern("MeterNames\\.QUEUE_RUNS,\\s+\"waiting\"");
        assertThat(service.resolve("worker/WorkerState.java"))
                .content()
                .containsPattern("(?m)^ +BUSY,$");
    }

    private static StatefulSetSpec spec(Rendering rendering, String name) {
        return rendering
                .manifest("StatefulSet", name)
                .as(StatefulSet.class)
                .orElseThrow()
                .getSpec();
    }

    private static PodTemplate agents(Rendering rendering, String name) {
        return rendering.pods(pod -> pod.owner().name().equals(name)).getFirst();
    }
}
