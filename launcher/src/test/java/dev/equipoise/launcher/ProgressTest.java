package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProgressTest {

    private final JsonMapper json = JsonMapper.builder().build();

    @Test
    void terminalShowsBarThatMovesInPlace() {
        String output = shown(true, 0, 0.5, 1);

        assertThat(output)
                .startsWith("\r\u001b[Kwork ")
                .contains("[###############...............]  50 %    0 s  half a second each")
                .endsWith("[##############################] 100 %    1 s  half a second each\n");
    }

    @Test
    void fileGetsOneLinePerQuarter() {
        assertThat(shown(false, 0, 0.1, 0.2, 0.26, 0.3, 0.8, 1).lines())
                .extracting(line -> line.replaceFirst(".*] *([0-9]+ %).*", "$1"))
                .containsExactly("0 %", "26 %", "80 %", "100 %");
    }

    @Test
    void timeoutEndsCommandWithWhatIsMissing() {
        assertThatThrownBy(() ->
                        progress(new ByteArrayOutputStream(), false)
                                .awaitReady(
                                        "joining",
                                        Duration.ofSeconds(5),
                                        () -> "2 of 3 have joined"))
                .isInstanceOf(LabFailure.class)
                .hasMessage(
                        "joining took longer than 5 s: 2 of 3 have joined; raise --start-timeout");
    }

    private static String shown(boolean terminal, double... fractions) {
        var out = new ByteArrayOutputStream();
        Iterator<Double> next = Arrays.stream(fractions).iterator();
        progress(out, terminal)
                .untilDone("work", () -> new Progress.State(next.next(), "half a second each"));
        return out.toString(StandardCharsets.UTF_8);
    }

    /** The clock advances by half a second with each pause. */
    private static Progress progress(OutputStream out, boolean terminal) {
        var nanos = new AtomicLong();
        return new Progress(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                terminal,
                nanos::get,
                () -> nanos.addAndGet(500_000_000));
    }

    @Test
    void queuedRunShowsWaitReason() {
        Progress.State state =
                RunProgress.of(
                        json(
                                """
                                {"state": "QUEUED", "waiting": {"message": "3 workers are wanted"}}
                                """));

        assertThat(state).isEqualTo(Progress.State.waiting("3 workers are wanted"));
    }

    @Test
    void waitReasonHasItsCode() {
        JsonNode queued =
                json(
                        """
                        {"state": "QUEUED", "waiting":
                          {"code": "unsatisfiable", "message": "4 workers needed, 3 available"}}
                        """);

        assertThat(RunProgress.ofAny(queued).note())
                .isEqualTo("unsatisfiable: 4 workers needed, 3 available");
    }

    @Test
    void fileGetsALineForEveryNewReasonOfAWait() {
        var out = new ByteArrayOutputStream();
        Iterator<Progress.State> next =
                List.of(
                                Progress.State.waiting("just queued"),
                                Progress.State.waiting("just queued"),
                                Progress.State.waiting("4 workers needed, 3 available"),
                                Progress.State.waiting("4 workers needed, 3 available"),
                                new Progress.State(0.1, "running"),
                                new Progress.State(0.2, "still running"),
                                new Progress.State(1, "accuracy 0.9"))
                        .iterator();

        progress(out, false).untilDone("work", next::next);

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .extracting(line -> line.replaceFirst(".* s  ", ""))
                .containsExactly(
                        "just queued", "4 workers needed, 3 available", "running", "accuracy 0.9");
    }

    @Test
    void runIsDoneOnlyInStateCompleted() {
        JsonNode lastRound =
                json(
                        """
                        {"state": "RUNNING", "progress":
                          {"fraction": 1.0, "epoch": 2, "epochs": 2, "round": 313, "rounds": 313}}
                        """);

        assertThat(RunProgress.of(lastRound).fraction()).isLessThan(1);
        assertThat(RunProgress.of(json("{\"state\": \"COMPLETED\"}")).fraction()).isEqualTo(1);
    }

    @Test
    void runningRunShowsPositionAndTimeLeft() {
        JsonNode running =
                json(
                        """
                        {"state": "RUNNING", "testAccuracy": 0.9123, "epochSeconds": 30.0,
                         "prediction": {"epochSeconds": 20.0}, "progress":
                          {"fraction": 0.25, "epoch": 2, "epochs": 4, "round": 5, "rounds": 10}}
                        """);

        assertThat(RunProgress.ofAny(running))
                .isEqualTo(
                        new Progress.State(
                                0.25,
                                "running, epoch 2 of 4, round 5 of 10, accuracy 0.9123, 90 s left"));
    }

    /** An epoch lasts 3000 s on the virtual clock. */
    @Test
    void timeLeftOfVirtualRunFollowsFromRealTimeElapsed() {
        JsonNode running =
                json(
                        """
                        {"state": "RUNNING", "epochSeconds": 3000.0,
                         "startedAt": "2026-01-01T00:00:00Z", "progress":
                          {"fraction": 0.25, "epoch": 2, "epochs": 4, "round": 0, "rounds": 10}}
                        """);

        assertThat(RunProgress.ofSimulated(running, Instant.parse("2026-01-01T00:00:10Z")).note())
                .isEqualTo("running, epoch 2 of 4, round 0 of 10, 30 s left");
    }

    @Test
    void virtualRunThatHasJustStartedShowsNoTimeLeft() {
        JsonNode running =
                json(
                        """
                        {"state": "RUNNING", "startedAt": "2026-01-01T00:00:00Z", "progress":
                          {"fraction": 0, "epoch": 0, "epochs": 4, "round": 0, "rounds": 10}}
                        """);

        assertThat(RunProgress.ofSimulated(running, Instant.parse("2026-01-01T00:00:10Z")).note())
                .isEqualTo("running, epoch 0 of 4, round 0 of 10");
    }

    @Test
    void failedRunAmongOthersIsDone() {
        JsonNode failed =
                json("{\"state\": \"FAILED\", \"failure\": {\"message\": \"rank 1 was lost\"}}");

        assertThat(RunProgress.ofAny(failed))
                .isEqualTo(new Progress.State(1, "failed: rank 1 was lost"));
    }

    @Test
    void failedRunEndsCommandWithItsReason() {
        JsonNode failed =
                json("{\"state\": \"FAILED\", \"failure\": {\"message\": \"rank 1 was lost\"}}");

        assertThatThrownBy(() -> RunProgress.of(failed))
                .isInstanceOf(LabFailure.class)
                .hasMessage("the run failed: rank 1 was lost");
    }

    @Test
    void progressOfProfilesIsTheirMean() {
        JsonNode measuring = json("{\"state\": \"MEASURING\", \"progress\": 0.5}");
        JsonNode complete = json("{\"state\": \"COMPLETE\", \"progress\": 1}");

        assertThat(ProfileProgress.of(List.of(measuring, complete)))
                .isEqualTo(new Progress.State(0.75, "1 of 2 complete"));
    }

    @Test
    void idealSpeedupIsMeanSpeedOverSlowestSpeed() {
        assertThat(LocalWorker.idealSpeedup(LocalWorker.UNEQUAL_WORKERS))
                .isCloseTo(4.31 / 3, within(1e-12));
    }

    private JsonNode json(String text) {
        return json.readTree(text);
    }
}
