package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service whose preset has one run, of 10 s, and whose published figure is 8 s. */
class FigureMeasurementTest {

    private static final String CONFIGURATION =
            "{\"name\": \"ring\", \"seed\": 1, \"execution\": {\"kind\": \"virtual\"}}";

    private final TestingService service;
    private final Site site;
    private final AtomicLong nanos = new AtomicLong();

    FigureMeasurementTest() throws IOException {
        service = new TestingService(answers());
        site = new TestingSite(service.address(), true, 999);
    }

    private static Map<String, Answer> answers() {
        Map<String, Answer> answers = new HashMap<>();
        answers.put("GET presets", new Answer(200, presets()));
        answers.put(
                "GET presets/rings", new Answer(200, "{\"definitions\": [{\"name\": \"ring\"}]}"));
        answers.put(
                "POST experiments/validate",
                new Answer(200, "{\"configurations\": [%s]}".formatted(CONFIGURATION)));
        answers.put("POST projects/p/experiments", new Answer(201, "{\"id\": \"e\"}"));
        answers.put("POST experiments/e/runs", new Answer(202, "{\"items\": [{\"id\": \"r\"}]}"));
        answers.put(
                "GET experiments/e",
                new Answer(200, "{\"configurations\": [%s]}".formatted(CONFIGURATION)));
        answers.put(
                "GET runs/r", new Answer(200, "{\"configuration\": %s}".formatted(CONFIGURATION)));
        answers.put(
                "GET comparisons",
                new Answer(
                        200,
                        """
                        {"runs": [{"run": "r", "name": "ring", "label": "ring", "seed": 1,
                                   "figures": {"trainingSeconds": 10}}]}
                        """));
        answers.put("GET runs", new Answer(200, "{\"items\": [], \"next\": null}"));
        return answers;
    }

    private static String presets() {
        return """
        {"items": [
          {"name": "rings", "paper": "Li et al.", "scales": {"small": {}, "full": {}},
           "published": [
             {"what": "time", "value": 8, "unit": "s", "where": "table 4", "because": "it is large",
              "ours": {"figure": "trainingSeconds", "over": null, "per": "run",
                       "of": {"name": "ring"}, "against": null, "as": "value",
                       "scales": ["small"]}}]},
          {"name": "plain", "paper": null, "scales": {"tiny": {}}, "published": []}]}
        """;
    }

    private static Answer runs(String state) {
        return new Answer(
                200,
                """
                {"items": [
                  {"id": "r", "experiment": "e", "experimentName": "ring", "experimentVersion": 1,
                   "position": 0, "state": "%s",
                   "progress": {"epochs": 1, "rounds": 3, "fraction": 1}}],
                 "next": null}
                """
                        .formatted(state));
    }

    private Map<String, Answer> onlyRuns(String state) {
        return Map.of("GET runs", runs(state));
    }

    @AfterEach
    void close() {
        site.close();
        service.close();
    }

    private FigureMeasurement measurement() {
        return measurement(site);
    }

    private FigureMeasurement measurement(Site measured) {
        Progress progress =
                new Progress(
                        new PrintStream(OutputStream.nullOutputStream()),
                        false,
                        nanos::get,
                        () -> {});
        return new FigureMeasurement(
                measured,
                new RetryingReader(
                        measured, progress, nanos::get, pause -> nanos.addAndGet(pause.toNanos())),
                progress);
    }

    private List<PublishedPreset> presets(String... scales) {
        return PublishedPreset.read(site.api(), List.of(), List.of(scales));
    }

    @Test
    void storedRunIsNotRunAgain() {
        service.changeAfter("GET presets", onlyRuns("COMPLETED"));

        FigureMeasurement.Report report = measurement().complete(presets("small"));

        assertThat(report.failed()).isZero();
        assertThat(report.lines())
                .extracting(FigureTable.Line::outcome)
                .containsExactly(new Outcome.Measured(10, 10));
        assertThat(service.requests()).doesNotContain("POST experiments/e/runs");
    }

    @Test
    void missingRunIsRun() {
        service.changeAfter("POST experiments/e/runs", onlyRuns("COMPLETED"));

        FigureMeasurement.Report report = measurement().complete(presets("small"));

        assertThat(report.failed()).isZero();
        assertThat(FigureTable.of(report.lines()))
                .contains("| Li et al., `rings` | time (table 4) | 8 s | 10 s | +25.0 % |");
        assertThat(service.requests()).containsOnlyOnce("POST experiments/e/runs");
    }

    @Test
    void runThatDoesNotCompleteIsCountedAndHasNoFigure() {
        service.changeAfter("POST experiments/e/runs", onlyRuns("FAILED"));

        FigureMeasurement.Report report = measurement().complete(presets("small"));

        assertThat(report.failed()).isOne();
        assertThat(report.lines())
                .extracting(FigureTable.Line::outcome)
                .containsExactly(new Outcome.Absent("a run did not complete"));
    }

    @Test
    void runOfAnotherConfigurationIsNotTaken() {
        service.changeAfter(
                "GET presets",
                Map.of(
                        "GET runs",
                        runs("COMPLETED"),
                        "GET experiments/e",
                        new Answer(
                                200,
                                "{\"configurations\": [%s]}"
                                        .formatted(CONFIGURATION.replace("1", "2")))));

        assertThat(measurement().stored(presets("small")))
                .extracting(FigureTable.Line::outcome)
                .containsExactly(new Outcome.Absent("not run"));
    }

    @Test
    void storedRunsAloneAreReadWithoutSubmission() {
        assertThat(measurement().stored(presets("small")))
                .extracting(FigureTable.Line::outcome)
                .containsExactly(new Outcome.Absent("not run"));
        assertThat(service.requests()).doesNotContain("POST projects/p/experiments");
    }

    @Test
    void scaleWithoutAFormHasTheReasonAndNoRuns() {
        FigureMeasurement.Report report = measurement().complete(presets("full"));

        assertThat(report.lines())
                .extracting(FigureTable.Line::outcome)
                .containsExactly(new Outcome.Absent("it is large"));
        assertThat(service.requests()).doesNotContain("POST projects/p/experiments");
    }

    @Test
    void figureWithoutAFormAtTheFirstScaleIsMeasuredAtTheNext() {
        service.changeAfter("POST experiments/e/runs", onlyRuns("COMPLETED"));

        FigureMeasurement.Report report = measurement().complete(presets("full", "small"));

        assertThat(FigureTable.of(report.lines()))
                .contains("| Li et al., `rings` | time (table 4) | 8 s | 10 s (small) | +25.0 % |");
        assertThat(service.requests()).containsOnlyOnce("POST experiments/e/runs");
    }

    @Test
    void runsContinueAtAServiceThatDoesNotAnswer() {
        service.changeAfter("POST experiments/e/runs", Map.of("GET runs/r", new Answer(503, "{}")));
        List<PublishedPreset> presets = presets("small");

        assertThatThrownBy(() -> measurement().complete(presets))
                .isInstanceOf(ServiceUnreachable.class);
        site.close();

        assertThat(service.requests()).doesNotContain("POST runs/r/cancel");
    }

    @Test
    void endOfALocalLabCancelsItsRuns() {
        service.changeAfter(
                "POST experiments/e/runs",
                Map.of(
                        "GET runs/r",
                        new Answer(503, "{}"),
                        "POST runs/r/cancel",
                        new Answer(200, "{}")));
        List<PublishedPreset> presets = presets("small");

        try (Site local = new TestingSite(service.address(), false, 999)) {
            assertThatThrownBy(() -> measurement(local).complete(presets))
                    .isInstanceOf(ServiceUnreachable.class);
        }

        assertThat(service.requests()).contains("POST runs/r/cancel");
    }

    @Test
    void everyWrongPresetIsReported() {
        assertThatThrownBy(() ->
                        PublishedPreset.read(
                                site.api(),
                                List.of("plain", "nothing", "rings"),
                                List.of("small", "huge")))
                .isInstanceOfSatisfying(
                        UsageError.class,
                        wrong ->
                                assertThat(wrong.sentences())
                                        .containsExactly(
                                                "plain is no preset with published figures; these"
                                                        + " presets are rings",
                                                "nothing is no preset with published figures; these"
                                                        + " presets are rings",
                                                "--scale must list some of [small, full], the"
                                                        + " scales of rings, but has \"huge\""));
    }

    /** The preset {@code plain} has no published figures, so its scales do not count. */
    @ParameterizedTest
    @ValueSource(strings = {"huge", "tiny", ""})
    void scaleThatNoSelectedPresetHasIsRefused(String scale) {
        assertThatThrownBy(() -> presets("small", scale))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "--scale must list some of [small, full], the scales of rings, but has"
                                + " \"%s\"",
                        scale);
    }
}
