package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class MessagesTest {

    private static final Credential CREDENTIAL = Credential.random(new SecureRandom());

    private final JsonMapper json = JsonMapper.builder().build();

    @Test
    void assignmentSurvivesJson() {
        var plan = plan(List.of(30_000, 30_000));
        Assignment training =
                new Assignment.Training(
                        AssignmentId.of(UUID.randomUUID()),
                        3,
                        RunId.of(UUID.randomUUID()),
                        1,
                        List.of(WorkerId.of(UUID.randomUUID()), WorkerId.of(UUID.randomUUID())),
                        "key",
                        plan);

        assertThat(json.readValue(json.writeValueAsString(training), Assignment.class))
                .isEqualTo(training);
    }

    /** Readers that do not know the field ignore it, and it may be absent. */
    @Test
    void traceparentIsOptional() {
        var untraced =
                new Assignment.Simulation(
                        AssignmentId.of(UUID.randomUUID()),
                        3,
                        RunId.of(UUID.randomUUID()),
                        plan(List.of(60_000)));
        var traced =
                new Assignment.Simulation(
                        untraced.id(), 3, untraced.run(), untraced.plan(), "00-a-b-01");

        assertThat(json.writeValueAsString(untraced)).doesNotContain("traceparent");
        assertThat(json.readValue(json.writeValueAsString(untraced), Assignment.class))
                .isEqualTo(untraced);
        assertThat(json.readValue(json.writeValueAsString(traced), Assignment.class))
                .isEqualTo(traced);
    }

    @Test
    void linkProfilingSurvivesJsonAndHidesItsKey() {
        Assignment links =
                new Assignment.LinkProfiling(
                        AssignmentId.of(UUID.randomUUID()),
                        1,
                        UUID.randomUUID(),
                        1,
                        List.of(WorkerId.of(UUID.randomUUID()), WorkerId.of(UUID.randomUUID())),
                        "key");

        assertThat(json.readValue(json.writeValueAsString(links), Assignment.class))
                .isEqualTo(links);
        assertThat(links).asString().doesNotContain("key");
    }

    @Test
    void addressesMustBeThoseOfAllPeers() {
        UUID id = UUID.randomUUID();
        List<WorkerId> peers = List.of(WorkerId.of(UUID.randomUUID()), WorkerId.of(id));

        assertThatThrownBy(() ->
                        new Assignment.LinkProfiling(
                                AssignmentId.of(id), 1, id, 1, peers, "key", List.of("a:1")))
                .hasMessage("addresses must hold 2, but held 1");
    }

    @Test
    void textOfAnAdmissionDoesNotContainTheClusterName() {
        var admission = new Admission(WorkerId.of(UUID.randomUUID()), "secret", List.of("a:1"));

        assertThat(admission).asString().contains("a:1").doesNotContain("secret");
    }

    @Test
    void reportSurvivesJson() {
        var report =
                new Report(
                        1,
                        7,
                        List.of(
                                new RunReport.RoundReached(0, 1, 20),
                                new ProfileReport.PointMeasured(
                                        new Kernel.TrainingStep("mnist-cnn"),
                                        new MeasuredPoint(64, 0.02, 5, 0.0001, 0.0002)),
                                new LinkReport.LinkMeasured(
                                        new MeasuredLink(0, 1, 0.001, 1e-9, 0.1)),
                                new LinkReport.AllReduceMeasured(
                                        new MeasuredAllReduce(
                                                Topology.Algorithm.RING, 2, 1000, 0.001)),
                                new RunReport.Decided(
                                        1, 2, RunReport.Strand.MAIN, List.of(3, 0, 1)),
                                observed(List.of(2L, 4L), List.of(0.5, 1.0), List.of(2.0, 1.5)),
                                new RunReport.Traced(
                                        1,
                                        2,
                                        RunReport.Strand.BACKGROUND,
                                        List.of(RunReport.Phase.COMPUTE, RunReport.Phase.WAIT),
                                        List.of(0L, 7L),
                                        List.of(7L, 3L),
                                        4),
                                new Outcome.Failed(FailureCause.WORKER, "peer-lost", "gone")));

        assertThat(json.readValue(json.writeValueAsString(report), Report.class)).isEqualTo(report);
    }

    /** Rejecting an unknown event of a newer agent would also lose its other events. */
    @Test
    void unknownEventTypeIsRead() {
        Report report =
                json.readValue(
                        """
                        {"generation": 1, "firstSequence": 7, "events": [
                         {"type": "cooled", "rank": 1, "by": {"degrees": 3}}, {"type": "finished"}]}
                        """,
                        Report.class);

        assertThat(report.events())
                .containsExactly(new AgentEvent.Unknown("cooled"), new Outcome.Finished());
        assertThat(report.events().getFirst()).isNotInstanceOf(Outcome.class);
    }

    /** An older agent may pass on an event that a newer one left. */
    @Test
    void unknownEventIsWritten() {
        AgentEvent unknown = new AgentEvent.Unknown("cooled");

        assertThat(json.writerFor(AgentEvent.class).writeValueAsString(unknown))
                .isEqualTo("{\"type\":\"unknown\"}");
        assertThat(json.readValue("{\"type\":\"unknown\"}", AgentEvent.class))
                .isEqualTo(new AgentEvent.Unknown("unknown"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"type\": null}", "{\"type\": 3.5}", "{\"type\": \"A kind\"}"})
    void rejectsAnEventWithoutAType(String event) {
        assertThatThrownBy(() -> json.readValue(event, AgentEvent.class))
                .hasMessageContaining("type");
    }

    private static RunReport.Observed observed(
            List<Long> steps, List<Double> seconds, List<Double> values) {
        return new RunReport.Observed(
                1, RunReport.Observed.TRAINING_LOSS, 2, steps, seconds, values, 0);
    }

    @Test
    void rejectsMetricPointsThatGoBackOrAreNotFinite() {
        assertThatThrownBy(() -> observed(List.of(4L, 4L), List.of(0.5, 1.0), List.of(2.0, 1.5)))
                .hasMessage("step must be at least 5, but was 4");
        assertThatThrownBy(() -> observed(List.of(2L, 4L), List.of(0.5, 0.4), List.of(2.0, 1.5)))
                .hasMessage("seconds must be at least 0.5, but was 0.4");
        assertThatThrownBy(() -> observed(List.of(2L), List.of(0.5), List.of(Double.NaN)))
                .hasMessage("value must be a finite number, but was NaN");
        assertThatThrownBy(() -> observed(List.of(2L), List.of(), List.of(1.0)))
                .hasMessage("seconds must hold 1, but held 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Loss", "train loss", "train//loss", "/loss", "train/", "verlust\u00e4"})
    void rejectsInvalidMetricNames(String metric) {
        assertThatThrownBy(() ->
                        new RunReport.Observed(0, metric, 1, List.of(), List.of(), List.of(), 0))
                .hasMessage(
                        "metric must be words of a-z, 0-9 and -, with / between them, but was "
                                + metric);
    }

    @Test
    void rejectsATraceWithListsOfUnequalLength() {
        assertThatThrownBy(() ->
                        new RunReport.Traced(
                                0,
                                1,
                                RunReport.Strand.MAIN,
                                List.of(RunReport.Phase.WAIT),
                                List.of(),
                                List.of(1L),
                                0))
                .hasMessage("begun must hold 1, but held 0");
    }

    @Test
    void idIsAStringInJson() {
        var id = UUID.fromString("00000000-0000-0000-0000-000000000001");
        assertThat(json.writeValueAsString(WorkerId.of(id))).isEqualTo("\"" + id + "\"");
    }

    @Test
    void rejectsSharesThatDoNotSumToTheTrainingSamples() {
        assertThatThrownBy(() -> plan(List.of(30_000, 29_999)))
                .hasMessage("the shares must sum to 60000, but are [30000, 29999]");
    }

    @Test
    void rejectsTimesThatAreNotNumbers() {
        assertThatThrownBy(() -> new RunReport.ReplicaReady(0, Double.NaN, "00"))
                .hasMessage("allReduceSeconds must be at least 0.0, but was NaN");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void rejectsALossThatIsNotFinite(double loss) {
        assertThatThrownBy(() ->
                        new EpochFinished(
                                0,
                                1,
                                10,
                                new EpochFinished.Phases(1, 0, 1, 1, 0, 0),
                                3,
                                new EpochFinished.Traffic(100, 0, 0, 1),
                                new EpochFinished.WeightUpdates(1, 0.1, List.of(), 0),
                                loss,
                                null,
                                null,
                                null,
                                "00"))
                .hasMessage("meanLoss must be a finite number, but was " + loss);
    }

    @Test
    void toStringOmitsTheCredential() {
        var host = new HostDescription("x", 1, 1, 1, "x", "x", 1);
        var registration = new Registration("alpha", host, "a:1", Map.of(), CREDENTIAL);
        assertThat(registration.toString()).contains("alpha").doesNotContain("eqw_");
    }

    @Test
    void credentialIsAStringInJson() {
        assertThat(json.readValue(json.writeValueAsString(CREDENTIAL), Credential.class))
                .isEqualTo(CREDENTIAL);
        assertThat(json.writeValueAsString(CREDENTIAL)).matches("\"eqw_[A-Za-z0-9_-]{43}\"");
        assertThat(Credential.random(new SecureRandom())).isNotEqualTo(CREDENTIAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "eqw_", "eqw_secret", "eqp_0123456789012345678901234567890123456789012"})
    void rejectsAWeakCredentialWithoutRepeatingIt(String text) {
        assertThatThrownBy(() -> Credential.of(text))
                .hasMessage("credential must be eqw_ and 32 bytes in Base64 for URLs");
    }

    @Test
    void rejectsAHeartbeatBeyondItsLimits() {
        assertThatThrownBy(() -> new Heartbeat("a".repeat(301), Set.of(), false))
                .hasMessageStartingWith(
                        "clusterAddress must have at most 300 characters, but had 301: aaa");
        Set<WorkerId> many =
                LongStream.rangeClosed(0, Heartbeat.MAX_SEEN)
                        .mapToObj(it -> WorkerId.of(new UUID(0, it)))
                        .collect(Collectors.toSet());
        assertThatThrownBy(() -> new Heartbeat("a:1", many, false))
                .hasMessage("sees must hold at most 10000, but held 10001");
        assertThatThrownBy(() -> new Heartbeat("a:1", Set.of(), false, -1.0))
                .hasMessageStartingWith("load must be");
        assertThatThrownBy(() -> new Heartbeat("a:1", Set.of(), false, null, List.of(), null, -1L))
                .hasMessageStartingWith("usedMemoryBytes must be");
        var probe = new ProbeResult(WorkerId.of(new UUID(0, 1)), "a:2", null);
        assertThatThrownBy(() ->
                        new Heartbeat(
                                "a:1",
                                Set.of(),
                                false,
                                null,
                                Collections.nCopies(Heartbeat.MAX_PROBES + 1, probe),
                                null))
                .hasMessage("probes must hold at most 8, but held 9");
    }

    /** A failure is a text of another machine, and reaches pages and terminals. */
    @Test
    void failureOfAProbeIsOneShortLine() {
        var worker = WorkerId.of(new UUID(0, 1));

        String text = "no\nroute\u001b[31m" + "x".repeat(300);
        assertThat(new ProbeResult(worker, "a:2", text).failure())
                .startsWith("no route [31mx")
                .hasSize(ProbeResult.MAX_FAILURE);
        assertThatThrownBy(() -> new ProbeRequest(worker, "a"))
                .hasMessageStartingWith("address must be host:port");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../etc", "/etc", "a/b", "a b", "a\nb", ".hidden"})
    void rejectsFoldersThatNoDefinitionCanName(String folder) {
        List<String> folders = List.of(folder);

        assertThatThrownBy(() -> new Heartbeat("a:1", Set.of(), false, null, List.of(), folders))
                .hasMessageStartingWith("folders must be plain names of at most 200 characters");
    }

    @Test
    void rejectsMoreFoldersThanTheServiceStores() {
        List<String> most = Collections.nCopies(DataFolders.MAX, "a".repeat(200));
        List<String> more = Collections.nCopies(DataFolders.MAX + 1, "a");
        List<String> tooLong = List.of("a".repeat(201));

        assertThat(new Heartbeat("a:1", Set.of(), false, null, List.of(), most).folders())
                .isEqualTo(most);
        assertThatThrownBy(() -> new Heartbeat("a:1", Set.of(), false, null, List.of(), more))
                .hasMessage("folders must hold at most 500, but held 501");
        assertThatThrownBy(() -> new Heartbeat("a:1", Set.of(), false, null, List.of(), tooLong))
                .hasMessageStartingWith("folders must be plain names of at most 200 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", ":5701", "host:", "host:0", "host:65536", "a b:1", "host:-1"})
    void rejectsInvalidClusterAddresses(String address) {
        var message =
                "clusterAddress must be host:port with a port in 1..65535, but was " + address;
        var host = new HostDescription("x", 1, 1, 1, "x", "x", 1);
        assertThatThrownBy(() -> new Heartbeat(address, Set.of(), false)).hasMessage(message);
        assertThatThrownBy(() -> new Registration("alpha", host, address, Map.of(), CREDENTIAL))
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:1", "127.0.0.1:65535", "[::1]:5701"})
    void acceptsHostNamesAndIpAddresses(String address) {
        assertThat(new Heartbeat(address, Set.of(), false).clusterAddress()).isEqualTo(address);
    }

    /** A line feed, an escape, a bell, a line separator and a right-to-left override. */
    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\u001bb", "a\u0007b", "a\u2028b", "a\u202eb"})
    void rejectsNamesThatCouldForgeLogLines(String text) {
        var rule = " must not contain control characters or line separators, but was a b";
        var host = new HostDescription("x", 1, 1, 1, "x", "x", 1);
        assertThatThrownBy(() -> new Registration(text, host, "a:1", Map.of(), CREDENTIAL))
                .hasMessage("name" + rule);
        assertThatThrownBy(() -> new Registration("a", host, "a:1", Map.of("k", text), CREDENTIAL))
                .hasMessage("labels.k" + rule);
        assertThatThrownBy(() -> new Registration("a", host, "a:1", Map.of(text, "v"), CREDENTIAL))
                .hasMessage("a name in labels" + rule);
        var named = new HostDescription(text, 1, 1, 1, "x", "x", 1);
        assertThatThrownBy(() -> new Registration("a", named, "a:1", Map.of(), CREDENTIAL))
                .hasMessage("host.name" + rule);
        var processor = new HostDescription("x", 1, 1, 1, "x", "x", 1, text, "AVX2");
        assertThatThrownBy(() -> new Registration("a", processor, "a:1", Map.of(), CREDENTIAL))
                .hasMessage("host.processor" + rule);
        var set = new HostDescription("x", 1, 1, 1, "x", "x", 1, null, text);
        assertThatThrownBy(() -> new Registration("a", set, "a:1", Map.of(), CREDENTIAL))
                .hasMessage("host.instructionSet" + rule);
    }

    @Test
    void hostTellsWhatDecidesOnTheBitsOfItsResults() {
        assertThat(new HostDescription("x", 1, 1, 1, "x", "x", 1).arithmetic()).isNull();
        assertThat(new HostDescription("x", 1, 1, 1, "x", "x", 1, "Xeon", null).arithmetic())
                .isEqualTo("Xeon");
        assertThat(new HostDescription("x", 1, 1, 1, "x", "x", 1, null, "AVX2").arithmetic())
                .isEqualTo("AVX2");
        assertThat(new HostDescription("x", 1, 1, 1, "x", "x", 1, "Xeon", "AVX2").arithmetic())
                .isEqualTo("Xeon, AVX2");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsReplicaDistancesThatCannotBe(double distance) {
        assertThatThrownBy(() -> new ReplicaDistance(0, distance, 0))
                .hasMessage("absolute must be at least 0.0, but was " + distance);
        assertThatThrownBy(() -> new ReplicaDistance(0, 0, distance))
                .hasMessage("relative must be at least 0.0, but was " + distance);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Zürich 1", "工作站", "ada's laptop (2)", "rechner-ß"})
    void acceptsNamesInAnyScript(String name) {
        var host = new HostDescription("x", 1, 1, 1, "x", "x", 1);
        assertThat(new Registration(name, host, "a:1", Map.of(), CREDENTIAL).name())
                .isEqualTo(name);
    }

    @Test
    void rejectsALearningRateThatUnderflowsFloat32() {
        assertThatThrownBy(() -> new OptimizerSpec.Sgd(1e-50))
                .hasMessage(
                        "learningRate must be at least 1.1754943508222875E-38, but was 1.0E-50");
    }

    @Test
    void rejectsAReportWithTooManyEvents() {
        List<AgentEvent> events = Collections.nCopies(501, new Outcome.Finished());
        assertThatThrownBy(() -> new Report(1, 1, events))
                .hasMessage("events must hold at most 500, but held 501");
    }

    /** An agent must be able to report any failure. */
    @Test
    void truncatesALongFailureMessage() {
        var failed = new Outcome.Failed(FailureCause.WORKER, "x", "m".repeat(20_000));
        assertThat(failed.message()).hasSize(Outcome.MAX_MESSAGE);
    }

    @Test
    void removesNulCharactersFromAFailureMessage() {
        var failed = new Outcome.Failed(FailureCause.WORKER, "x", "a\0b\0");
        assertThat(failed.message()).isEqualTo("ab");
    }

    @Test
    void failureIsOneLine() {
        var failed = new Outcome.Failed(FailureCause.WORKER, "x", "it broke\nERROR\u001b[2Jforged");
        assertThat(failed.message()).isEqualTo("it broke ERROR [2Jforged");
        assertThatThrownBy(() -> new Outcome.Failed(FailureCause.WORKER, "x\ny", "m"))
                .hasMessageStartingWith("code must not contain control characters");
    }

    @Test
    void noteIsOneLineOfBoundedLength() {
        assertThat(new RunReport.Noted(0, " a\0b\nc ").text()).isEqualTo("a b c");
        assertThat(new RunReport.Noted(0, "n".repeat(301)).text()).hasSize(300);
        assertThat(new RunReport.Noted(0, "n".repeat(299) + "\uD83D\uDE00").text())
                .as("no split surrogate pair")
                .hasSize(299);
        assertThatThrownBy(() -> new RunReport.Noted(0, "\n")).hasMessage("text must not be blank");
    }

    @Test
    void namesAMissingField() {
        assertThatThrownBy(() ->
                        json.readValue("{\"type\": \"failed\", \"code\": \"x\"}", AgentEvent.class))
                .hasRootCauseMessage("cause must be given");
    }

    private static TrainingPlan plan(List<Integer> shares) {
        return new TrainingPlan(
                new PublishedSpec.Mnist(new Normalization.Unit(), 60_000),
                Preset.MNIST_CNN.architecture(),
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                new OptimizerSpec.Sgd(0.05),
                2,
                Observation.every(1),
                1,
                TrainingPlan.EpochDivision.of(shares, 313),
                new Method(
                        new Synchronization.Bsp(),
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Compression.None()),
                ChannelKind.DIRECT,
                new Execution.Real(),
                List.of(),
                List.of());
    }
}
