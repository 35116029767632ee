package dev.equipoise.agent.lifecycle;

import static dev.equipoise.testing.Patience.PATIENCE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.cluster.HostAndPort;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.lifecycle.TestingKernels.Stretch;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.service.Journals;
import dev.equipoise.agent.service.ServiceEndpoint;
import dev.equipoise.agent.service.TestingService.Answer;
import dev.equipoise.agent.status.AgentMeters;
import dev.equipoise.agent.status.AgentStatus;
import dev.equipoise.agent.status.StatusServer;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.trace.RunTracer;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Outcome.Failed;
import dev.equipoise.protocol.Outcome.Finished;
import dev.equipoise.protocol.Outcome.Preempted;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.ProbeKey;
import dev.equipoise.protocol.ProbeRequest;
import dev.equipoise.protocol.ProbeResult;
import dev.equipoise.protocol.ProfileReport.PointMeasured;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.testing.Patience;
import dev.equipoise.testing.telemetry.TestingCollector;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Tests whole agents, with cluster, sockets and data, against a minimal service. */
class AgentIT {

    private static final int ENDLESS = 1_000_000;

    /** Tolerance of losses, for float32 sums in another order. */
    private static final double TOLERANCE = 1e-5;

    /** Tolerance of sums of seconds, which are whole nanoseconds as float64. */
    private static final double ROUNDING = 1e-9;

    /** Answers of a proxy whose service is away. */
    private static final List<Answer> PROXY = Answer.FROM_PROXIES.subList(0, 5);

    @TempDir private static Path folder;

    private final TestingLab lab = new TestingLab();
    private final ExecutorService agents = Executors.newCachedThreadPool();

    @AfterEach
    void stop() throws InterruptedException {
        agents.shutdownNow();
        assertThat(agents.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        lab.close();
    }

    @Test
    void profilesTrainsAndLeaves() throws Exception {
        Running agent = start("alpha");
        var profiling = profiling(0, List.of(agent.id()));
        var training = training(0, List.of(agent.id()), 2, 256);

        lab.assign(agent.id(), profiling);
        lab.assign(agent.id(), training);
        List<AgentEvent> measured = awaitEnd(profiling.id());
        List<AgentEvent> trained = awaitEnd(training.id());

        assertThat(measured.getLast()).isEqualTo(new Finished());
        assertThat(measured.stream().filter(PointMeasured.class::isInstance))
                .extracting(event -> ((PointMeasured) event).point().size())
                .containsOnly(1, 4, 16, 32);
        assertThat(trained.getFirst()).isInstanceOf(ReplicaReady.class);
        assertThat(trained.getLast()).isEqualTo(new Finished());
        assertThat(epochs(trained)).extracting(EpochFinished::epoch).containsExactly(1, 2);
        assertThat(epochs(trained)).allMatch(epoch -> epoch.samples() == 256);

        stopAndAwait(agent);
        assertThat(lab.isDraining(agent.id())).isTrue();
    }

    @Test
    void agentOnNd4jTellsItAndTrains() throws Exception {
        Running agent = start("alpha", Backends.load(BackendKind.ND4J));
        var training = training(0, List.of(agent.id()), 2, 256);

        lab.assign(agent.id(), training);
        List<AgentEvent> trained = awaitEnd(training.id());

        assertThat(lab.registration(agent.id()).labels())
                .containsOnly(Map.entry("backend", "nd4j"), Map.entry("device", "cpu"));
        assertThat(lab.registration(agent.id()).host().backend()).startsWith("ND4J");
        assertThat(trained.getLast()).isEqualTo(new Finished());
        assertThat(epochs(trained)).extracting(EpochFinished::epoch).containsExactly(1, 2);
    }

    @Test
    void reportsStatusMetricsAndSpans() throws Exception {
        var agentStatus = new AgentStatus();
        var meters = new AgentMeters(agentStatus);
        try (TestingCollector collector = TestingCollector.start();
                RunTracer tracer =
                        RunTracer.fromEnvironment(
                                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()), "alpha");
                StatusServer status = StatusServer.open("127.0.0.1", 0, agentStatus, meters)) {
            assertThat(get(status, "/ready").statusCode()).isEqualTo(503);
            Running agent = start("alpha", new AgentObservers(agentStatus, meters, tracer));
            await().until(() -> get(status, "/ready").statusCode() == 200);
            var training = traced(training(0, List.of(agent.id()), 2, 256));

            lab.assign(agent.id(), training);
            awaitEnd(training.id());

            await().until(() -> collector.spans().size() >= 6);
            assertThat(collector.spans())
                    .extracting(Span::getName)
                    .containsExactlyInAnyOrder(
                            "rank 0", "meet", "data", "prepare", "epoch", "epoch");
            assertThat(get(status, "/metrics").body().lines())
                    .contains("equipoise_agent_samples_total 512.0");
            stopAndAwait(agent);
            assertThat(get(status, "/ready").statusCode()).isEqualTo(503);
        }
    }

    private static HttpResponse<String> get(StatusServer status, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://127.0.0.1:%d%s"
                                                    .formatted(status.address().getPort(), path)))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static Assignment.Training traced(Assignment.Training other) {
        return new Assignment.Training(
                other.id(),
                other.generation(),
                other.run(),
                other.rank(),
                other.peers(),
                other.key(),
                other.plan(),
                null,
                null,
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }

    @Test
    void dismissedAgentFinishesItsWorkAndLeaves() throws Exception {
        Running agent = start("alpha");
        var training = training(0, List.of(agent.id()), 2, 256);

        lab.assign(agent.id(), training);
        await().until(() -> !lab.events(training.id()).isEmpty());
        lab.dismiss(agent.id());
        await().until(() -> lab.hasLeft(agent.id()));

        assertThat(lab.events(training.id()).getLast()).isEqualTo(new Finished());
        agent.loop().get(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(lab.isDraining(agent.id())).isTrue();
    }

    @Test
    void replicasOfTwoAgentsStayIdentical() throws Exception {
        Running first = start("alpha");
        Running second = start("beta");
        List<WorkerId> peers = List.of(first.id(), second.id());
        var firstPart = training(0, peers, 2, 100, 156);
        var secondPart = sameRun(firstPart, 1);

        lab.assign(first.id(), firstPart);
        lab.assign(second.id(), secondPart);
        List<EpochFinished> one = epochs(awaitEnd(firstPart.id()));
        List<EpochFinished> other = epochs(awaitEnd(secondPart.id()));

        assertThat(one).hasSize(2);
        assertThat(one)
                .extracting(EpochFinished::parameters)
                .isEqualTo(other.stream().map(EpochFinished::parameters).toList());
        assertThat(one).allMatch(epoch -> epoch.traffic().bytes() > 0 && epoch.samples() == 100);
        assertThat(other).allMatch(epoch -> epoch.samples() == 156);
        assertThat(ready(firstPart).allReduceSeconds()).isPositive();
        assertPhasesSumToTheElapsedTime(firstPart, one);
        assertPhasesSumToTheElapsedTime(secondPart, other);
        assertThat(lab.events(firstPart.id()))
                .filteredOn(RunReport.Noted.class::isInstance)
                .extracting(event -> ((RunReport.Noted) event).text())
                .anyMatch(text -> text.startsWith("has met its 1 peers, after "))
                .anyMatch(text -> text.startsWith("has its data, after "));
    }

    private void assertPhasesSumToTheElapsedTime(
            Assignment.Training part, List<EpochFinished> epochs) {
        List<AgentEvent> events = lab.events(part.id());
        var elapsed = (RunReport.PhasesElapsed) events.get(events.size() - 2);
        RunPhases phases = elapsed.phases();

        assertThat(phases.sum()).isCloseTo(elapsed.elapsedSeconds(), within(ROUNDING));
        assertThat(phases.trainingSeconds())
                .isCloseTo(
                        epochs.stream().mapToDouble(EpochFinished::wallSeconds).sum(),
                        within(ROUNDING));
        assertThat(phases.rendezvousSeconds()).isPositive();
        assertThat(phases.dataSeconds()).isPositive();
        assertThat(phases.warmUpSeconds()).isPositive();
        assertThat(phases.calibrationSeconds()).isPositive();
        assertThat(phases.evaluationSeconds()).isPositive();
        assertThat(phases.checkpointSeconds()).isZero();
    }

    /** One agent already waits for the other, and would not find it after a loss of membership. */
    @Test
    void renewsItsCredentialDuringARendezvous() throws Exception {
        Running first = start("alpha");
        Running second = start("beta");
        var firstPart = training(0, List.of(first.id(), second.id()), 1, 64, 64);
        var secondPart = sameRun(firstPart, 1);
        lab.assign(first.id(), firstPart);

        lab.askToRenew(first.id());
        await().until(() -> lab.hasRenewed(first.id()));
        lab.assign(second.id(), secondPart);

        assertThat(awaitEnd(firstPart.id()).getLast()).isInstanceOf(Finished.class);
        assertThat(awaitEnd(secondPart.id()).getLast()).isInstanceOf(Finished.class);
    }

    @Test
    void preemptedTrainingResumesWithTheSameBits() throws Exception {
        List<WorkerId> agents = List.of(start("alpha").id(), start("beta").id());
        var endless = training(0, agents, ENDLESS, 100, 156);

        List<AgentEvent> before = train(endless, new Checkpointing(0, 0, 0));
        var stopped = (Preempted) before.getLast();
        // The time at which the ranks get the request depends on the host, so the end comes
        // later.
        int epochs = stopped.epoch() + 2;
        List<AgentEvent> after =
                train(until(epochs, endless), new Checkpointing(stopped.epoch(), agents.size(), 0));
        List<String> whole = checksums(train(training(0, agents, epochs, 100, 156), null));

        assertThat(stopped.epoch()).isPositive();
        assertThat(after.getLast()).isInstanceOf(Finished.class);
        assertThat(checksums(before)).hasSize(stopped.epoch());
        assertThat(Stream.concat(checksums(before).stream(), checksums(after).stream()).toList())
                .isEqualTo(whole);
    }

    /**
     * Trains, and returns the events of the first rank; asks for a stop if the training starts
     * fresh.
     */
    private List<AgentEvent> train(
            Assignment.Training plan, @Nullable Checkpointing checkpointing) {
        List<Assignment.Training> parts =
                List.of(
                        checkpointed(sameRun(plan, 0), checkpointing),
                        checkpointed(sameRun(plan, 1), checkpointing));
        for (Assignment.Training part : parts) {
            if (checkpointing != null && checkpointing.after() == 0) {
                lab.preempt(part.id());
            }
            lab.assign(part.peers().get(part.rank()), part);
        }
        parts.forEach(part -> awaitEnd(part.id()));
        return lab.events(parts.getFirst().id());
    }

    private static Assignment.Training checkpointed(
            Assignment.Training other, @Nullable Checkpointing checkpointing) {
        return new Assignment.Training(
                other.id(),
                other.generation() + (checkpointing == null ? 0 : 1 + checkpointing.after()),
                other.run(),
                other.rank(),
                other.peers(),
                other.key(),
                other.plan(),
                checkpointing,
                null);
    }

    private static Assignment.Training until(int epochs, Assignment.Training other) {
        return new Assignment.Training(
                other.id(),
                other.generation(),
                other.run(),
                other.rank(),
                other.peers(),
                other.key(),
                TestingPlan.with(other.plan(), epochs));
    }

    private static List<String> checksums(List<AgentEvent> events) {
        return epochs(events).stream().map(EpochFinished::parameters).toList();
    }

    /**
     * Workers of very different speeds measure each point together: one that measured by itself
     * would finish earlier.
     */
    @Test
    void coLocatedWorkersMeasureAtTheSameTime() throws Exception {
        var kernels = new TestingKernels();
        Running first = start("alpha", kernels.recording("alpha", Backends.load()));
        Running second = start("beta", kernels.recording("beta", Backends.load()));
        List<WorkerId> peers = List.of(first.id(), second.id());
        var one = profiling(0, peers);
        var other = sameSession(one, 1);

        lab.assign(first.id(), one);
        lab.assign(second.id(), other);

        for (Assignment.Profiling each : List.of(one, other)) {
            List<AgentEvent> events = awaitEnd(each.id());
            assertThat(events.getLast()).isEqualTo(new Finished());
            assertThat(events.stream().filter(PointMeasured.class::isInstance))
                    .extracting(event -> ((PointMeasured) event).point().size())
                    .containsOnly(1, 4, 16, 32);
        }
        List<Stretch> ofOne = measured(kernels.of("alpha"));
        List<Stretch> ofOther = measured(kernels.of("beta"));
        assertThat(ofOne)
                .extracting(Stretch::kernel)
                .as("10 scores of a sample, and matrices of 16 and 32 rows")
                .contains("softmax 10", "softmax 40", "product 256", "product 1024")
                .isEqualTo(ofOther.stream().map(Stretch::kernel).toList());
        for (int point = 0; point < ofOne.size(); point++) {
            assertThat(ofOne.get(point)).matches(ofOther.get(point)::overlaps);
        }
    }

    /** Returns the measurements without the first of each kind, which are warm-ups. */
    private static List<Stretch> measured(List<Stretch> all) {
        Set<String> warm = new HashSet<>();
        return all.stream().filter(stretch -> !warm.add(stretch.kind())).toList();
    }

    /**
     * Makes the assignment of the other worker, which is half as fast and needs a higher precision.
     */
    private static Assignment.Profiling sameSession(Assignment.Profiling other, int rank) {
        return new Assignment.Profiling(
                AssignmentId.of(UUID.randomUUID()),
                other.generation(),
                other.session(),
                rank,
                other.peers(),
                other.key(),
                other.network(),
                other.measurements(),
                new Precision(20, 200, 0.95, 0.01, 0.5),
                2);
    }

    @Test
    void registersWithTheAddressOfItsDataSocket() throws Exception {
        Running agent = start("alpha");

        String address = String.valueOf(lab.registration(agent.id()).dataAddress());

        HostAndPort data = HostAndPort.parse(address).orElseThrow();
        try (var socket = new Socket(data.host(), data.port())) {
            assertThat(socket.isConnected()).as(address).isTrue();
        }
    }

    /** One agent at the address of another, as where an address leads each host to itself. */
    @Test
    void probeTellsWhichAgentAnswers() throws Exception {
        Running alpha = start("alpha");
        Running beta = start("beta");
        ProbeKey key = requireNonNull(lab.registration(beta.id()).probeKey());
        String own = String.valueOf(lab.registration(alpha.id()).dataAddress());
        String reached = String.valueOf(lab.registration(beta.id()).dataAddress());
        WorkerId elsewhere = WorkerId.of(UUID.randomUUID());

        lab.askToProbe(
                alpha.id(),
                List.of(
                        new ProbeRequest(beta.id(), reached, key),
                        new ProbeRequest(elsewhere, own, key)));

        await().untilAsserted(() ->
                assertThat(lab.probed(alpha.id()))
                        .contains(
                                new ProbeResult(beta.id(), reached, null),
                                new ProbeResult(
                                        elsewhere,
                                        own,
                                        "connected, but another worker or another program answers"
                                                + " there")));
    }

    /** Nobody listens at the port of the second, which the socket keeps from other programs. */
    @Test
    void probesTheAddressesThatTheServiceNames() throws Exception {
        Running alpha = start("alpha");
        Running beta = start("beta");
        String reached = String.valueOf(lab.registration(beta.id()).dataAddress());
        WorkerId lost = WorkerId.of(UUID.randomUUID());
        try (var bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String closed = "127.0.0.1:" + bound.getLocalPort();

            lab.askToProbe(
                    alpha.id(),
                    List.of(new ProbeRequest(beta.id(), reached), new ProbeRequest(lost, closed)));

            await().untilAsserted(() ->
                    assertThat(lab.probed(alpha.id()))
                            .contains(
                                    new ProbeResult(beta.id(), reached, null),
                                    new ProbeResult(lost, closed, "connection refused")));
        }
        assertThat(lab.probed(beta.id())).as("was not asked").isEmpty();
    }

    @Test
    void refusedAddressIsToldWithTheAddressesOfTheHost() {
        lab.behind(List.of(Answer.problem(409, "unreachable-address", "set another address")));
        var err = new StringWriter();

        int status = execute(err, "--service=" + lab.url(), "--join-token=eqj_test");

        assertThat(status).isEqualTo(1);
        assertThat(err.toString())
                .startsWith(
                        "equipoise agent: could not join: the service answered 409"
                                + " unreachable-address: set another address");
        HostInspector.ownAddresses().forEach(it -> assertThat(err.toString()).contains(it));
    }

    @Test
    void otherRefusalNamesNoAddressesOfTheHost() {
        lab.behind(List.of(Answer.problem(409, "illegal-state", "--host of a taken credential")));
        var err = new StringWriter();

        int status = execute(err, "--service=" + lab.url(), "--join-token=eqj_test");

        assertThat(status).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "equipoise agent: could not join: the service answered 409 illegal-state:"
                                + " --host of a taken credential");
    }

    @Test
    void measuresLinksAndAppliesLinkLimits() throws Exception {
        Running first = start("alpha");
        Running second = start("beta");
        List<WorkerId> peers = List.of(first.id(), second.id());
        var measured = linkProfiling(0, peers);
        var other = sameMeasurement(measured, 1);

        lab.assign(first.id(), measured);
        lab.assign(second.id(), other);

        assertThat(awaitEnd(other.id())).containsExactly(new Outcome.Finished());
        assertThat(awaitEnd(measured.id()))
                .hasSize(1 + 5 * 5 + 1)
                .first(InstanceOfAssertFactories.type(LinkReport.LinkMeasured.class))
                .satisfies(event -> assertThat(event.link().betaSecondsPerByte()).isPositive());

        var slow = limited(training(0, peers, 1, 64, 64), new LinkLimit(List.of(1, 0), 20.0, 1));
        var slowToo = sameRun(slow, 1);
        lab.assign(first.id(), slow);
        lab.assign(second.id(), slowToo);

        // Each rank sends as many bytes as the vector has.
        double least = slow.plan().network().parameterCount() * Float.BYTES / 20e6;
        assertThat(awaitEnd(slow.id()))
                .first(InstanceOfAssertFactories.type(RunReport.ReplicaReady.class))
                .satisfies(event ->
                        assertThat(event.allReduceSeconds()).isGreaterThanOrEqualTo(least));
    }

    /**
     * Each agent reports the weights of the whole network, of which it has trained its own hidden
     * units; an agent with all units ends with the same weights up to the order of sums.
     */
    @Test
    void twoAgentsShareTheHiddenUnitsOfOneNetwork() throws Exception {
        Running first = start("alpha");
        Running second = start("beta");
        var data = new DatasetSpec.Synthetic(List.of(12), 5, 96, 1, 96);
        Architecture network =
                Architecture.of(
                        "perceptron",
                        data.input(),
                        List.of(new Layer.Dense(20), new Layer.Sigmoid(), new Layer.Dense(5)));
        Assignment.Training alone = training(data, network, 0, List.of(first.id()), 5, 96);
        Assignment.Training whole =
                training(data, network, 0, List.of(first.id(), second.id()), 5, 96, 0);
        var firstPart = inGroups(whole, new Grouping(List.of(List.of(0, 1)), List.of(7, 13)));
        var secondPart = sameRun(firstPart, 1);

        lab.assign(first.id(), alone);
        List<EpochFinished> wanted = epochs(awaitEnd(alone.id()));
        lab.assign(first.id(), firstPart);
        lab.assign(second.id(), secondPart);
        List<EpochFinished> one = epochs(awaitEnd(firstPart.id()));
        List<EpochFinished> other = epochs(awaitEnd(secondPart.id()));

        assertThat(one).hasSize(5).allMatch(epoch -> epoch.samples() == 96);
        assertThat(other).hasSize(5).allMatch(epoch -> epoch.samples() == 0);
        assertThat(List.of(firstPart, secondPart))
                .extracting(part -> ready(part).parameters())
                .containsOnly(ready(alone).parameters());
        assertThat(one)
                .extracting(EpochFinished::parameters)
                .doesNotHaveDuplicates()
                .isEqualTo(other.stream().map(EpochFinished::parameters).toList());
        assertLearnsTheSame(one, wanted);
        assertThat(one).allMatch(epoch -> epoch.traffic().gradientBytes() > 0);
        assertThat(ready(firstPart).allReduceSeconds()).isPositive();
    }

    private ReplicaReady ready(Assignment.Training part) {
        return withoutNotes(part.id()).stream()
                .filter(ReplicaReady.class::isInstance)
                .map(ReplicaReady.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static void assertLearnsTheSame(List<EpochFinished> one, List<EpochFinished> wanted) {
        assertThat(testLosses(wanted).getFirst() - testLosses(wanted).getLast())
                .as("it learns far more than the tolerance")
                .isGreaterThan(1000 * TOLERANCE);
        assertClose(testLosses(one), testLosses(wanted));
        assertClose(
                one.stream().map(EpochFinished::meanLoss).toList(),
                wanted.stream().map(EpochFinished::meanLoss).toList());
    }

    private static List<Double> testLosses(List<EpochFinished> epochs) {
        return epochs.stream().map(epoch -> requireNonNull(epoch.test()).loss()).toList();
    }

    private static void assertClose(List<Double> found, List<Double> wanted) {
        assertThat(found).hasSameSizeAs(wanted);
        for (int epoch = 0; epoch < wanted.size(); epoch++) {
            assertThat(found.get(epoch)).isCloseTo(wanted.get(epoch), within(TOLERANCE));
        }
    }

    private static Assignment.Training inGroups(Assignment.Training other, Grouping grouping) {
        return new Assignment.Training(
                other.id(),
                other.generation(),
                other.run(),
                other.rank(),
                other.peers(),
                other.key(),
                TestingPlan.in(other.plan(), grouping));
    }

    private static Assignment.LinkProfiling linkProfiling(int rank, List<WorkerId> peers) {
        return new Assignment.LinkProfiling(
                AssignmentId.of(UUID.randomUUID()),
                1,
                UUID.randomUUID(),
                rank,
                peers,
                Base64.getEncoder().encodeToString(new byte[32]));
    }

    private static Assignment.LinkProfiling sameMeasurement(
            Assignment.LinkProfiling other, int rank) {
        return new Assignment.LinkProfiling(
                AssignmentId.of(UUID.randomUUID()),
                other.generation(),
                other.measurement(),
                rank,
                other.peers(),
                other.key());
    }

    private static Assignment.Training limited(Assignment.Training other, LinkLimit limit) {
        return new Assignment.Training(
                other.id(),
                other.generation(),
                other.run(),
                other.rank(),
                other.peers(),
                other.key(),
                TestingPlan.limited(other.plan(), limit));
    }

    @Test
    void leavingAgentEndsItsTrainingAndItsPeerReportsTheLoss() throws Exception {
        Running first = start("alpha");
        Running second = start("beta");
        List<WorkerId> peers = List.of(first.id(), second.id());
        var firstPart = training(0, peers, ENDLESS, 128, 128);
        var secondPart = sameRun(firstPart, 1);
        lab.assign(first.id(), firstPart);
        lab.assign(second.id(), secondPart);
        awaitProgress(firstPart.id());

        stopAndAwait(second);

        assertThat(awaitEnd(secondPart.id()).getLast())
                .isEqualTo(
                        new Failed(FailureCause.WORKER, "worker-drained", "the worker is leaving"));
        await().untilAsserted(() ->
                assertThat(lab.drainingAtEnd(secondPart.id())).containsExactly(second.id()));
        assertThat(awaitEnd(firstPart.id()).getLast())
                .isInstanceOfSatisfying(
                        Failed.class,
                        failed -> {
                            assertThat(failed.cause()).isEqualTo(FailureCause.WORKER);
                            assertThat(failed.code()).isEqualTo("peer-lost");
                            assertThat(failed.message()).startsWith("at rank 0, epoch ");
                        });
    }

    @Test
    void stopsARevokedTrainingAndTakesTheNext() throws Exception {
        Running agent = start("alpha");
        var revoked = training(0, List.of(agent.id()), ENDLESS, 256);
        var next = profiling(0, List.of(agent.id()));
        lab.assign(agent.id(), revoked);
        awaitProgress(revoked.id());

        lab.revoke(revoked.id());
        lab.assign(agent.id(), next);

        assertThat(awaitEnd(next.id()).getLast()).isEqualTo(new Finished());
        assertThat(lab.events(revoked.id())).noneMatch(Outcome.class::isInstance);
    }

    /** The other rank never comes, and the timeout is as long as this test's patience. */
    @Test
    void revocationEndsARendezvous() throws Exception {
        Running agent = start("alpha");
        List<WorkerId> peers = List.of(agent.id(), WorkerId.of(UUID.randomUUID()));
        var revoked = training(0, peers, 1, 64, 64);
        var next = profiling(0, List.of(agent.id()));
        lab.assign(agent.id(), revoked);
        await().until(() -> !lab.events(revoked.id()).isEmpty());

        lab.revoke(revoked.id());
        lab.assign(agent.id(), next);

        assertThat(awaitEnd(next.id()).getLast()).isEqualTo(new Finished());
        assertThat(lab.events(revoked.id())).allMatch(RunReport.PhasesElapsed.class::isInstance);
    }

    @Test
    void reportsItsDataFoldersWhenItJoins() throws Exception {
        Path own = Files.createDirectories(folder.resolve("flowers"));
        Files.writeString(own.resolve("train.csv"), "1,2,0\n");

        Running agent = start("alpha");

        assertThat(requireNonNull(lab.registration(agent.id()).folders())).contains("flowers");
    }

    @Test
    void rejectsInvalidUserDataWithFileLineAndRuleBeforeTraining() throws Exception {
        Path own = Files.createDirectories(folder.resolve("ragged"));
        Path train = Files.writeString(own.resolve("train.csv"), "1,2,0\n1,2\n");
        Files.writeString(own.resolve("test.csv"), "1,2,0\n");
        Running agent = start("alpha");
        var ragged = new OwnSpec.Csv("ragged", 2, 2, 2, new Normalization.Unit(), 2);
        Architecture network =
                Architecture.of("layers", ragged.input(), List.of(new Layer.Dense(2)));
        Assignment.Training work = training(ragged, network, 0, List.of(agent.id()), 1, 2);

        lab.assign(agent.id(), work);

        assertThat(awaitEnd(work.id()).getLast())
                .isInstanceOfSatisfying(
                        Failed.class,
                        failed -> {
                            assertThat(failed.cause()).isEqualTo(FailureCause.USER);
                            assertThat(failed.code()).isEqualTo("dataset-invalid");
                            assertThat(failed.message())
                                    .startsWith(train + ", line 2:")
                                    .contains("3");
                        });
        assertThat(lab.events(work.id())).noneMatch(ReplicaReady.class::isInstance);
    }

    @Test
    void missingDataAreTheFaultOfTheUserAndAllFoldersSearchedAreTold() throws Exception {
        Running agent = start("alpha");
        var absent = new OwnSpec.Csv("absent", 2, 2, 2, new Normalization.Unit(), 2);
        Architecture network =
                Architecture.of("layers", absent.input(), List.of(new Layer.Dense(2)));
        Assignment.Training work = training(absent, network, 0, List.of(agent.id()), 1, 2);

        lab.assign(agent.id(), work);

        assertThat(awaitEnd(work.id()).getLast())
                .isInstanceOfSatisfying(
                        Failed.class,
                        failed -> {
                            assertThat(failed.cause()).isEqualTo(FailureCause.USER);
                            assertThat(failed.code()).isEqualTo("dataset-unavailable");
                            assertThat(failed.message())
                                    .contains(folder.resolve("absent") + ": no such folder");
                        });
    }

    @Test
    void rejoinsTheClusterOnRequest() {
        Running first = start("alpha");
        lab.keepMembersSecret();
        Running second = start("beta");
        await().untilAsserted(
                        () -> assertThat(lab.seenBy(second.id())).containsExactly(second.id()));

        lab.askToRejoin(second.id());

        await().untilAsserted(() ->
                assertThat(lab.seenBy(second.id()))
                        .containsExactlyInAnyOrder(first.id(), second.id()));
    }

    @Test
    void idleAgentSurvivesASilentService() {
        Running agent = start("alpha");
        lab.silent(true);
        await().during(Duration.ofSeconds(1)).until(() -> !agent.loop().isDone());
        lab.silent(false);

        var next = profiling(0, List.of(agent.id()));
        lab.assign(agent.id(), next);

        assertThat(awaitEnd(next.id()).getLast()).isEqualTo(new Finished());
    }

    /** A proxy answers while the service is away, as Traefik and nginx do. */
    @Test
    void answersOfAProxyEndNothing() throws Exception {
        lab.behind(PROXY);
        Future<?> loop =
                agents.submit(
                        () -> agentLoop("alpha", TestingLab.JOIN_TOKEN, Backends.load()).run());
        await().until(() -> lab.answeredByProxy() >= 2);
        lab.behind(List.of());
        await().until(() -> !lab.workers().isEmpty());
        WorkerId agent = lab.workers().getFirst();

        awaitAllAnswersOfTheProxy();
        var endless = training(0, List.of(agent), ENDLESS, 256);
        var next = profiling(0, List.of(agent));
        lab.assign(agent, endless);
        awaitProgress(endless.id());
        awaitAllAnswersOfTheProxy();
        int known = lab.events(endless.id()).size();
        await().until(() -> lab.events(endless.id()).size() > known);
        assertThat(lab.events(endless.id())).noneMatch(Outcome.class::isInstance);
        lab.revoke(endless.id());
        lab.assign(agent, next);

        assertThat(awaitEnd(next.id()).getLast()).isEqualTo(new Finished());
        assertThat(lab.workers()).containsExactly(agent);
        lab.answerNextLeave(PROXY.getFirst());
        stopAndAwait(new Running(agent, loop));
    }

    private void awaitAllAnswersOfTheProxy() {
        lab.behind(PROXY);
        await().until(() -> lab.answeredByProxy() >= PROXY.size());
        lab.behind(List.of());
    }

    /** The unit would not start an agent with status 77 again. */
    @Test
    void proxyThatRefusesTheJoinTokenGivesStatusOne() {
        lab.behind(List.of(new Answer(403, "text/html", "<html>403 Forbidden</html>")));
        var err = new StringWriter();

        int status =
                execute(err, "--service=" + lab.url(), "--join-token=eqj_test", "--join-timeout=0");

        assertThat(status).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        ("equipoise agent: could not join: the answer 403 (text/html) from %s is"
                                        + " not from an Equipoise service; check the address and"
                                        + " any proxy in between")
                                .formatted(lab.url()));
    }

    @Test
    void unreachableServiceGivesOneSentenceAndStatusOne() {
        var err = new StringWriter();

        int status =
                execute(
                        err,
                        "--service=http://127.0.0.1:1",
                        "--join-token=eqj_test",
                        "--join-timeout=0");

        assertThat(status).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "equipoise agent: could not join: no answer from the service at"
                                + " http://127.0.0.1:1: cannot connect");
    }

    @ParameterizedTest
    @CsvSource({"0.0, upgrade the service", "0.9, upgrade the agent", "1.2, upgrade the agent"})
    void serviceOfADistantProtocolGivesOneSentenceAndStatusOne(String protocol, String remedy) {
        lab.speak(ProtocolVersion.of(protocol));
        var err = new StringWriter();

        int status =
                execute(err, "--service=" + lab.url(), "--join-token=" + TestingLab.JOIN_TOKEN);

        assertThat(status).isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith(
                        "equipoise agent: could not join: the agent speaks protocol "
                                + ProtocolVersion.OWN)
                .contains("and the service protocol " + protocol, remedy);
    }

    @Test
    void worksForAServiceThatReportsNoProtocol() throws Exception {
        lab.speak(null);
        Running agent = start("alpha");
        var profiling = profiling(0, List.of(agent.id()));

        lab.assign(agent.id(), profiling);

        assertThat(awaitEnd(profiling.id()).getLast()).isEqualTo(new Finished());
        assertThat(lab.registration(agent.id()).protocol()).isEqualTo(ProtocolVersion.OWN);
    }

    @Test
    void refusedTokenGivesAStatusThatPreventsARestart() {
        var err = new StringWriter();

        int status = execute(err, "--service=" + lab.url(), "--join-token=eqj_spent");

        assertThat(status).as("%s", err).isEqualTo(77);
        assertThat(Path.of("src/main/package/systemd/equipoise-agent.service"))
                .content()
                .containsPattern("(?m)^RestartPreventExitStatus=.*\\b77\\b");
    }

    private static int execute(StringWriter err, String... arguments) {
        return execute(folder.resolve(UUID.randomUUID().toString()), err, arguments);
    }

    private static int execute(Path state, StringWriter err, String... arguments) {
        return Agent.execute(
                new PrintWriter(new StringWriter(), true),
                new PrintWriter(err, true),
                Stream.concat(Stream.of("--state=" + state), Arrays.stream(arguments))
                        .toArray(String[]::new));
    }

    @Test
    void agentOfTheSameStateFolderReturnsAsTheSameWorkerWithoutAToken() throws Exception {
        Path state = folder.resolve("returning");
        try (StateFolder first = StateFolder.open(state)) {
            Running agent = start("alpha", first);
            lab.askToRenew(agent.id());
            await().until(() -> lab.hasRenewed(agent.id()));
            stopAndAwait(agent);
        }

        try (StateFolder second = StateFolder.open(state)) {
            Future<?> loop = startAgain(second);
            WorkerId worker = lab.workers().getFirst();
            var profiling = profiling(0, List.of(worker));
            lab.assign(worker, profiling);

            assertThat(awaitEnd(profiling.id()).getLast()).isEqualTo(new Finished());
            assertThat(lab.workers()).containsExactly(worker);
            stopAndAwait(new Running(worker, loop));
        }
    }

    @Test
    void changedHostIsSaidInTheLog() throws Exception {
        Path state = folder.resolve("changed");
        try (StateFolder first = StateFolder.open(state)) {
            stopAndAwait(start("alpha", first));
            WorkerIdentity identity = first.identity().orElseThrow();
            first.joined(
                    identity.registered(
                            lab.url(),
                            requireNonNull(identity.worker()),
                            withMoreProcessors(requireNonNull(identity.host()))));
        }
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Enrollment.class);
        logger.addAppender(lines);

        try (StateFolder second = StateFolder.open(state)) {
            Future<?> loop = startAgain(second);
            stopAndAwait(new Running(lab.workers().getFirst(), loop));
        } finally {
            logger.detachAppender(lines);
        }

        int processors = Runtime.getRuntime().availableProcessors();
        assertThat(lines.list)
                .filteredOn(it -> it.getLevel() == Level.WARN)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "the profiles and links of this worker are stale, since its host has"
                                + " changed: processors %d, now %d; runs that need them measure"
                                        .formatted(processors + 1, processors)
                                + " them again");
    }

    private static HostDescription withMoreProcessors(HostDescription host) {
        return new HostDescription(
                host.name(),
                host.processors() + 1,
                host.threads(),
                host.memoryBytes(),
                host.system(),
                host.backend(),
                host.slowDown(),
                host.processor(),
                host.instructionSet());
    }

    /** Covers a service that was restored from a backup, which has not the newest credential. */
    @Test
    void previousCredentialReturnsTheWorkerIfTheServiceKnowsNoOther() throws Exception {
        Path state = folder.resolve("restored");
        try (StateFolder first = StateFolder.open(state)) {
            stopAndAwait(start("alpha", first));
            assertThat(first.renew(Credential.random(new SecureRandom()))).isTrue();
        }

        try (StateFolder second = StateFolder.open(state)) {
            Future<?> loop = startAgain(second);

            assertThat(lab.workers()).hasSize(1);
            stopAndAwait(new Running(lab.workers().getFirst(), loop));
        }
    }

    /** Starts an agent without a join token, and waits until it has returned. */
    private Future<?> startAgain(StateFolder state) {
        int before = lab.returns();
        Future<?> loop =
                agents.submit(() ->
                        agentLoop("alpha", "", Backends.load(), AgentObservers.none(), state)
                                .run());
        await().until(() -> lab.returns() > before);
        awaitHeartbeat(lab.workers().getFirst());
        return loop;
    }

    /** Waits until the agent works: Hazelcast loses an interrupt that comes while it joins. */
    private void awaitHeartbeat(WorkerId worker) {
        await().until(() -> !lab.seenBy(worker).isEmpty());
    }

    @Test
    void agentOfAForgottenWorkerJoinsAnewWithATokenAndEndsWithoutOne() throws Exception {
        Path state = folder.resolve("forgotten");
        try (StateFolder first = StateFolder.open(state)) {
            Running agent = start("alpha", first);
            stopAndAwait(agent);
            lab.forget(agent.id());
        }
        var err = new StringWriter();

        int status = execute(state, err, "--service=" + lab.url());

        assertThat(status).as("%s", err).isEqualTo(77);
        assertThat(err.toString())
                .contains(
                        "the service does not know worker " + lab.workers().getFirst(),
                        state.toString(),
                        "give a join token");
        try (StateFolder second = StateFolder.open(state)) {
            Running other = start("alpha", second);
            assertThat(lab.workers()).hasSize(2);
            stopAndAwait(other);
            assertThat(second.identity())
                    .hasValueSatisfying(it -> assertThat(it.worker()).isEqualTo(other.id()));
        }
    }

    /** A service of protocol 0.1 admits join tokens alone. */
    @Test
    void serviceThatCannotTakeWorkersBackGivesStatusOneAndTheWorkerStays() throws Exception {
        Path state = folder.resolve("too-old");
        try (StateFolder first = StateFolder.open(state)) {
            stopAndAwait(start("alpha", first));
        }
        lab.refuseReturns();
        var err = new StringWriter();

        int status = execute(state, err, "--service=" + lab.url(), "--join-token=eqj_test");

        assertThat(status).as("%s", err).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        "could not return: the service at %s is too old to take workers back: upgrade it"
                                .formatted(lab.url()));
        assertThat(lab.workers()).hasSize(1);
        try (StateFolder later = StateFolder.open(state)) {
            assertThat(later.joining()).isEmpty();
            assertThat(later.identity())
                    .hasValueSatisfying(
                            it -> assertThat(it.worker()).isEqualTo(lab.workers().getFirst()));
        }
    }

    /** The answer to its first registration was lost, so that no worker is confirmed. */
    @Test
    void unconfirmedRegistrationIsRepeatedAtAServiceThatCannotTakeWorkersBack() throws Exception {
        Path state = folder.resolve("unconfirmed");
        lab.refuseReturns();
        Credential credential = Credential.random(new SecureRandom());
        try (StateFolder opened = StateFolder.open(state)) {
            opened.beginJoining(WorkerIdentity.joining(lab.url(), credential));

            Running agent = start("alpha", opened);

            assertThat(lab.registration(agent.id()).credential()).isEqualTo(credential);
            assertThat(opened.identity())
                    .hasValueSatisfying(it -> assertThat(it.worker()).isEqualTo(agent.id()));
            stopAndAwait(agent);
        }
    }

    @Test
    void secondAgentOfAStateFolderIsRefused() {
        Path state = folder.resolve("shared");
        var err = new StringWriter();
        try (StateFolder _ = StateFolder.open(state)) {
            assertThat(execute(state, err, "--service=" + lab.url(), "--join-token=eqj_test"))
                    .isEqualTo(1);
        }

        assertThat(err.toString())
                .contains(
                        "another agent (process %d) uses the state folder %s"
                                .formatted(ProcessHandle.current().pid(), state));
        assertThat(lab.workers()).isEmpty();
    }

    private Running start(String name, StateFolder state) {
        int before = lab.workers().size();
        Future<?> loop =
                agents.submit(() ->
                        agentLoop(
                                        name,
                                        TestingLab.JOIN_TOKEN,
                                        Backends.load(),
                                        AgentObservers.none(),
                                        state)
                                .run());
        await().until(() -> lab.workers().size() > before);
        awaitHeartbeat(lab.workers().getLast());
        return new Running(lab.workers().getLast(), loop);
    }

    @Test
    void endsWhenTheServiceHasForgottenIt() {
        Running agent = start("alpha");

        lab.forget(agent.id());

        assertThat(agent.loop())
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("the service does not know this worker any more");
    }

    @Test
    void lostAdmissionDoesNotJoinTwice() throws Exception {
        lab.loseNextAdmission();
        Running agent = start("alpha");
        var profiling = profiling(0, List.of(agent.id()));
        lab.assign(agent.id(), profiling);

        assertThat(awaitEnd(profiling.id()).getLast()).isEqualTo(new Finished());
        assertThat(lab.workers()).containsExactly(agent.id());
    }

    @Test
    void refusedJoinTokenFailsAtOnce() {
        assertThat(agents.submit(() -> agentLoop("alpha", "eqj_wrong", Backends.load()).run()))
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("could not join: the service answered 401 unauthenticated");
    }

    private Running start(String name) {
        return start(name, Backends.load());
    }

    private Running start(String name, Backend backend) {
        return start(name, backend, AgentObservers.none());
    }

    private Running start(String name, AgentObservers observers) {
        return start(name, Backends.load(), observers);
    }

    private Running start(String name, Backend backend, AgentObservers observers) {
        int before = lab.workers().size();
        Future<?> loop =
                agents.submit(
                        () -> agentLoop(name, TestingLab.JOIN_TOKEN, backend, observers).run());
        await().until(() -> lab.workers().size() > before);
        return new Running(lab.workers().getLast(), loop);
    }

    private AgentLoop agentLoop(String name, String joinToken, Backend backend) {
        return agentLoop(name, joinToken, backend, AgentObservers.none());
    }

    private AgentLoop agentLoop(
            String name, String joinToken, Backend backend, AgentObservers observers) {
        Path state = folder.resolve("state").resolve(UUID.randomUUID().toString());
        return agentLoop(name, joinToken, backend, observers, StateFolder.open(state));
    }

    private AgentLoop agentLoop(
            String name,
            String joinToken,
            Backend backend,
            AgentObservers observers,
            StateFolder state) {
        return new AgentLoop(
                new AgentSettings(
                        ServiceEndpoint.of(lab.url()),
                        joinToken,
                        name,
                        AgentSettings.Address.withAnyPorts("127.0.0.1"),
                        List.of(),
                        1,
                        1,
                        Map.of(),
                        TestingTimeouts.PATIENT),
                new DatasetRegistry(DatasetSettings.fromEnvironment(environment())),
                agents,
                agents,
                new SystemTime(),
                backend,
                new DivergedWeightsStore(folder.resolve("weights")),
                new AgentStorage(Journals.none(), state),
                observers);
    }

    /** Interrupts the main thread, like the shutdown hook, and waits until the agent has left. */
    private void stopAndAwait(Running agent) {
        agent.loop().cancel(true);
        await().until(() -> lab.hasLeft(agent.id()));
    }

    private void awaitProgress(AssignmentId assignment) {
        await().until(() ->
                lab.events(assignment).stream().anyMatch(RoundReached.class::isInstance));
    }

    private List<AgentEvent> awaitEnd(AssignmentId assignment) {
        await().until(() -> lab.events(assignment).stream().anyMatch(Outcome.class::isInstance));
        return withoutNotes(assignment);
    }

    /** Returns the events that programs read. */
    private List<AgentEvent> withoutNotes(AssignmentId assignment) {
        return lab.events(assignment).stream()
                .filter(event -> !(event instanceof RunReport.Noted))
                .toList();
    }

    private static List<EpochFinished> epochs(List<AgentEvent> events) {
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .toList();
    }

    private static Assignment.Profiling profiling(int rank, List<WorkerId> peers) {
        return new Assignment.Profiling(
                AssignmentId.of(UUID.randomUUID()),
                1,
                UUID.randomUUID(),
                rank,
                peers,
                Base64.getEncoder().encodeToString(new byte[32]),
                Preset.MNIST_CNN.architecture(),
                List.of(
                        new Assignment.Measurement(
                                new Kernel.TrainingStep("mnist-cnn"),
                                new Points.Fixed(List.of(1, 4))),
                        new Assignment.Measurement(
                                new Kernel.Gemm(), new Points.Fixed(List.of(16, 32)))),
                new Precision(2, 5, 0.95, 0.1, 0.5),
                1);
    }

    /** Returns the environment of this process with a further folder for data. */
    private static Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.merge(
                "EQUIPOISE_DATASETS",
                folder.toString(),
                (places, own) -> places + File.pathSeparator + own);
        return environment;
    }

    private static Assignment.Training training(
            int rank, List<WorkerId> peers, int epochs, Integer... shares) {
        int samples = Arrays.stream(shares).mapToInt(Integer::intValue).sum();
        return training(
                new DatasetSpec.Synthetic(List.of(28, 28, 1), 10, samples, 1, samples),
                Preset.MNIST_CNN.architecture(),
                rank,
                peers,
                epochs,
                shares);
    }

    private static Assignment.Training training(
            DatasetSpec dataset,
            Architecture network,
            int rank,
            List<WorkerId> peers,
            int epochs,
            Integer... shares) {
        return new Assignment.Training(
                AssignmentId.of(UUID.randomUUID()),
                3,
                RunId.of(UUID.randomUUID()),
                rank,
                peers,
                Base64.getEncoder().encodeToString(new byte[32]),
                TestingPlan.with(
                        TestingPlan.of(
                                dataset,
                                network,
                                new OptimizerSpec.Sgd(0.05),
                                TrainingPlan.EpochDivision.of(List.of(shares), 4)),
                        epochs));
    }

    private static Assignment.Training sameRun(Assignment.Training other, int rank) {
        return new Assignment.Training(
                AssignmentId.of(UUID.randomUUID()),
                other.generation(),
                other.run(),
                rank,
                other.peers(),
                other.key(),
                other.plan());
    }

    private record Running(WorkerId id, Future<?> loop) {}
}
