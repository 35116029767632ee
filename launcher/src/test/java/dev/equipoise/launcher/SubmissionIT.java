package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SubmissionIT {

    private static final List<ServiceApi.Document> DEFINITIONS =
            List.of(new ServiceApi.Document("application/json", "{}"));

    private static final Answer INVALID =
            new Answer(
                    422,
                    """
                    {"code": "invalid-definition", "detail": "2 rules are broken", "errors": [
                      {"pointer": "/execution/run", "rule": "must be a completed run", "value": null},
                      {"pointer": "/seed", "rule": "must be as in the run that is repeated", "value": 3}]}
                    """);

    private final AtomicLong nanos = new AtomicLong();

    /**
     * Starts a service that accepts a run and gives one further answer; all other requests get 503.
     */
    private static TestingService service(String request, Answer answer) throws IOException {
        Map<String, Answer> answers = new HashMap<>();
        answers.put("POST projects/p/experiments", new Answer(201, "{\"id\": \"e\"}"));
        answers.put("POST experiments/e/runs", new Answer(202, "{\"items\": [{\"id\": \"r\"}]}"));
        answers.put(request, answer);
        return new TestingService(answers);
    }

    private Submission submission(Site site) {
        Progress progress =
                new Progress(
                        new PrintStream(OutputStream.nullOutputStream()),
                        false,
                        nanos::get,
                        () -> {});
        return new Submission(site, new RetryingReader(site, progress, nanos::get, this::letPass));
    }

    private void letPass(Duration pause) {
        nanos.addAndGet(pause.toNanos());
    }

    private void follow(Submission submission) {
        submission.submit(DEFINITIONS);
        submission.follow(List.of("label"), new Progress(System.out, false, nanos::get, () -> {}));
    }

    @Test
    void runsOfAnUnreachableServiceAreLeftOpen() throws IOException {
        try (TestingService service = service("POST runs/r/cancel", new Answer(200, "{}"))) {
            try (Site site = new TestingSite(service.address(), true, 999)) {
                Submission submission = submission(site);
                assertThatThrownBy(() -> follow(submission)).isInstanceOf(ServiceUnreachable.class);
                submission.leaveOpen();
            }
            assertThat(service.requests()).doesNotContain("POST runs/r/cancel");
        }
        assertThat(Duration.ofNanos(nanos.get())).isGreaterThan(Duration.ofMinutes(5));
    }

    @Test
    void runsOfAServiceContinueAfterTheCommand() throws IOException {
        try (TestingService service = service("POST runs/r/cancel", new Answer(200, "{}"))) {
            try (Site site = new TestingSite(service.address(), true, 999)) {
                Submission submission = submission(site);
                submission.submit(DEFINITIONS);
                assertThat(submission.count()).isEqualTo(1);
            }
            assertThat(service.requests()).doesNotContain("POST runs/r/cancel");
        }
    }

    @Test
    void runsBeforeARejectedDefinitionAreCanceled() throws IOException {
        try (TestingService service = service("POST runs/r/cancel", new Answer(200, "{}"));
                Site site = new TestingSite(service.address(), true, 999)) {
            service.changeAfter(
                    "POST experiments/e/runs", Map.of("POST experiments/e/runs", INVALID));
            Submission submission = submission(site);

            assertThatThrownBy(() ->
                            submission.submit(
                                    List.of(DEFINITIONS.getFirst(), DEFINITIONS.getFirst())))
                    .isInstanceOf(UsageError.class);

            assertThat(service.requests()).contains("POST runs/r/cancel");
        }
    }

    /** One of the runs is deleted, and the service limits the rate of another request. */
    @Test
    void eachRunIsCanceledAlsoAfterOneRejection() throws IOException {
        Map<String, Answer> answers =
                Map.of(
                        "POST projects/p/experiments",
                        new Answer(201, "{\"id\": \"e\"}"),
                        "POST experiments/e/runs",
                        new Answer(
                                202,
                                "{\"items\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}]}"),
                        "POST runs/a/cancel",
                        new Answer(404, "{\"code\": \"not-found\", \"detail\": \"no run\"}"),
                        "POST runs/b/cancel",
                        new Answer(429, "{\"code\": \"rate-limited\", \"detail\": \"wait\"}"),
                        "POST runs/c/cancel",
                        new Answer(200, "{}"));
        try (TestingService service = new TestingService(answers);
                Site site = new TestingSite(service.address(), true, 999)) {
            Submission submission = submission(site);
            submission.submit(DEFINITIONS);

            submission.cancel();

            assertThat(service.requests())
                    .endsWith("POST runs/a/cancel", "POST runs/b/cancel", "POST runs/c/cancel");
            assertThat(submission.count()).isZero();
        }
    }

    @Test
    void failedRunIsReportedWithItsLabelAndReason() throws IOException {
        String failed =
                """
                {"items": [{"id": "r", "state": "FAILED",
                  "failure": {"message": "rank 1 was lost", "cause": "worker"}}]}
                """;
        try (TestingService service = service("GET runs", new Answer(200, failed));
                Site site = new TestingSite(service.address(), true, 999)) {
            service.changeAfter(
                    "POST experiments/e/runs", Map.of("GET runs/r", new Answer(200, "{}")));
            Submission submission = submission(site);

            follow(submission);

            assertThat(submission.failures())
                    .containsExactly("label (run r) failed: rank 1 was lost (worker)");
        }
    }

    @Test
    void runsOfALocalLabAreCanceled() throws IOException {
        try (TestingService service = service("POST runs/r/cancel", new Answer(200, "{}"))) {
            try (Site site = new TestingSite(service.address(), false, 999)) {
                Submission submission = submission(site);
                submission.submit(DEFINITIONS);
                submission.leaveOpen();
            }
            assertThat(service.requests()).contains("POST runs/r/cancel");
        }
    }

    @Test
    void rejectedRunIsReportedAsAnErrorInItsDefinition() throws IOException {
        try (TestingService service = service("POST experiments/e/runs", INVALID);
                Site site = new TestingSite(service.address(), true, 999)) {
            assertThatThrownBy(() -> submission(site).submit(DEFINITIONS))
                    .isInstanceOfSatisfying(
                            UsageError.class,
                            wrong ->
                                    assertThat(wrong.sentences())
                                            .containsExactly(
                                                    "/execution/run must be a completed run",
                                                    "/seed must be as in the run that is repeated,"
                                                            + " but was 3"));
        }
    }
}
