package dev.equipoise.agent.service;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.TestingEvents;
import dev.equipoise.agent.service.TestingService.Answer;
import dev.equipoise.agent.service.TestingService.Request;
import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Outcome.Failed;
import dev.equipoise.protocol.Outcome.Finished;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.RunReport.RoundReached;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Tests a reporter and the real client against a server that numbers events like the service. */
class ReporterIT {

    private static final AssignmentId ASSIGNMENT = AssignmentId.of(UUID.randomUUID());

    private final JsonMapper json = JsonMapper.builder().build();
    private final Queue<Answer> mishaps = new ConcurrentLinkedQueue<>();
    private final List<AgentEvent> recorded = new ArrayList<>();
    private final TestingService service = TestingService.answering(this::answer);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Time time = new TestingTime();
    private Reporter reporter;

    @BeforeEach
    void startReporter() throws InterruptedException {
        var client =
                ServiceClient.register(
                        service.endpoint(),
                        PATIENCE,
                        "eqj_token",
                        new Registration(
                                "alpha",
                                new HostDescription(
                                        "host", 2, 1, 1L << 30, "Linux amd64", "oneDNN", 1),
                                "127.0.0.1:5701",
                                Map.of(),
                                Credential.random(new SecureRandom())));
        reporter =
                Reporter.start(
                        TestingJournal.none(7),
                        report -> client.report(ASSIGNMENT, report),
                        new ExponentialBackoff(Duration.ofMillis(10), Duration.ofMillis(50)),
                        time,
                        threads);
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        service.close();
    }

    @Test
    void serviceGetsEverythingInOrder() throws InterruptedException {
        reporter.report(new ReplicaReady(0, 0.01, "00"));
        reporter.report(epoch(1));
        reporter.report(epoch(2));
        reporter.report(new Finished());

        assertThat(reporter.close(PATIENCE)).isTrue();
        assertThat(recorded())
                .containsExactly(
                        new ReplicaReady(0, 0.01, "00"), epoch(1), epoch(2), new Finished());
        assertThat(reporter.revoked()).isFalse();
    }

    @Test
    void progressArrivesWithoutAnUrgentEvent() {
        reporter.report(new RoundReached(0, 1, 20));

        await().untilAsserted(() -> assertThat(recorded()).contains(new RoundReached(0, 1, 20)));
    }

    @Test
    void repeatsAnUnansweredReportWhichTheServiceIgnores() throws InterruptedException {
        mishaps.add(Answer.LOST);
        mishaps.add(Answer.problem(500, "internal", "the database is gone"));
        mishaps.add(Answer.LOST);

        reporter.report(epoch(1));
        reporter.report(epoch(2));
        reporter.report(new Finished());

        assertThat(reporter.close(PATIENCE)).isTrue();
        assertThat(recorded()).containsExactly(epoch(1), epoch(2), new Finished());
        assertThat(reports()).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void answersOfAProxyDelayAReportAndEndNothing() throws InterruptedException {
        mishaps.addAll(Answer.FROM_PROXIES);

        reporter.report(epoch(1));
        reporter.report(new Finished());

        assertThat(reporter.close(PATIENCE)).isTrue();
        assertThat(reporter.revoked()).isFalse();
        assertThat(recorded()).containsExactly(epoch(1), new Finished());
        assertThat(reports()).hasSizeGreaterThan(Answer.FROM_PROXIES.size());
    }

    @Test
    void staleGenerationRevokesTheAssignment() throws InterruptedException {
        mishaps.add(Answer.problem(409, "stale-generation", "the generation is 8"));
        var stopped = new AtomicBoolean();
        reporter.whenRevoked(() -> stopped.set(true));

        reporter.report(epoch(1));

        await().untilTrue(stopped);
        reporter.report(new Finished());
        assertThat(reporter.revoked()).isTrue();
        assertThat(reporter.close(PATIENCE)).isFalse();
        assertThat(recorded()).isEmpty();
        assertThat(reports()).hasSize(1);
    }

    @Test
    void assignmentOfAnotherWorkerIsRevoked() {
        mishaps.add(Answer.problem(404, "not-found", "there is no such assignment"));

        reporter.report(epoch(1));

        await().until(reporter::revoked);
    }

    @Test
    void rejectedReportEndsTheWorkWithItsReason() throws InterruptedException {
        reporter.report(epoch(1));
        await().untilAsserted(() -> assertThat(recorded()).containsExactly(epoch(1)));
        mishaps.add(Answer.problem(400, "invalid-request", "epoch must be from 1 to 1"));
        var stopped = new AtomicBoolean();
        reporter.whenRevoked(() -> stopped.set(true));

        reporter.report(epoch(2));

        await().untilTrue(stopped);
        reporter.report(new Finished());
        assertThat(reporter.close(PATIENCE)).isFalse();
        assertThat(recorded())
                .containsExactly(
                        epoch(1),
                        new Failed(
                                FailureCause.WORKER,
                                "report-refused",
                                "the service answered 400 invalid-request: epoch must be from 1 to"
                                        + " 1"));
    }

    @Test
    void rejectedRejectionIsNotRepeated() throws InterruptedException {
        mishaps.add(Answer.problem(400, "invalid-request", "no"));
        mishaps.add(Answer.problem(400, "invalid-request", "no"));

        reporter.report(epoch(1));

        await().until(reporter::revoked);
        assertThat(reporter.close(PATIENCE)).isFalse();
        assertThat(recorded()).isEmpty();
        assertThat(reports()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/"})
    void eventsOfADeadProcessAreReportedWithItsRestart(String end, @TempDir Path folder)
            throws IOException {
        var epoch = TestingEvents.epoch(0, 1, 100);
        URI url = service.url();
        try (Journals gone = Journals.open(folder)) {
            new Outbox(gone.of(url, TestingJournal.OWNER.credential(), ASSIGNMENT, 7)).add(epoch);
        }

        try (Journals journals = Journals.open(folder)) {
            var restarted = ServiceEndpoint.of(URI.create(url + end));
            ServiceClient.reportUnsent(restarted, PATIENCE, journals, new SystemTime(), threads);

            await().untilAsserted(() -> assertThat(recorded()).hasSize(2));
            assertThat(recorded().getFirst()).isEqualTo(epoch);
            assertThat(recorded().getLast())
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            it -> assertThat(it.code()).isEqualTo("agent-restarted"));
            await().until(() -> journalsIn(folder) == 0);
        }
    }

    @Test
    void waitsForAnAbsentServiceUpToTheTimeout() throws InterruptedException {
        service.close();

        reporter.report(new Finished());

        assertThat(reporter.close(Duration.ofMillis(200))).isFalse();
        assertThat(reporter.revoked()).isFalse();
    }

    private static long journalsIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(it -> it.toString().endsWith(".jsonl")).count();
        }
    }

    private Answer answer(Request request) {
        if (request.path().equals("/api/v1/agents")) {
            return Answer.ok(
                    """
                    {"worker":"%s","credential":"eqw_secret","clusterName":"lab","members":[]}\
                    """
                            .formatted(UUID.randomUUID()));
        }
        Answer mishap = mishaps.poll();
        if (mishap == null || mishap.equals(Answer.LOST)) {
            record(json.readValue(request.body(), Report.class));
        }
        return mishap == null ? Answer.NO_CONTENT : mishap;
    }

    /** Records events by number like the service, so that a repeated event is recorded once. */
    private void record(Report report) {
        synchronized (recorded) {
            assertThat(report.generation()).isEqualTo(7);
            assertThat(report.firstSequence()).isLessThanOrEqualTo(recorded.size() + 1);
            int known = (int) (recorded.size() + 1 - report.firstSequence());
            report.events().stream().skip(known).forEach(recorded::add);
        }
    }

    private List<AgentEvent> recorded() {
        synchronized (recorded) {
            return List.copyOf(recorded);
        }
    }

    private List<Request> reports() {
        return service.requests().stream()
                .filter(request -> request.path().endsWith(ASSIGNMENT + "/events"))
                .toList();
    }

    private static AgentEvent epoch(int epoch) {
        return TestingEvents.epoch(0, epoch, 100);
    }
}
