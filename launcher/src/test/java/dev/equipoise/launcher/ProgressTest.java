package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProgressTest {

    private final JsonMapper json = JsonMapper.builder().build();

    @Test
    void waitingRunTellsWhyItWaits() {
        Progress.State state =
                RunProgress.of(
                        json(
                                """
                                {"state": "QUEUED", "waiting": {"message": "3 workers are wanted"}}
                                """));

        assertThat(state).isEqualTo(new Progress.State(0, "3 workers are wanted"));
    }

    @Test
    void runIsDoneOnlyWhenItIsCompleted() {
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
    void failedRunEndsTheCommandWithItsReason() {
        JsonNode failed =
                json("{\"state\": \"FAILED\", \"failure\": {\"message\": \"rank 1 was lost\"}}");

        assertThatThrownBy(() -> RunProgress.of(failed))
                .isInstanceOf(LabFailure.class)
                .hasMessage("the run failed: rank 1 was lost");
    }

    @Test
    void profilesAreAsFarAsTheirMean() {
        JsonNode measuring = json("{\"state\": \"MEASURING\", \"progress\": 0.5}");
        JsonNode complete = json("{\"state\": \"COMPLETE\", \"progress\": 1}");

        assertThat(ProfileProgress.of(List.of(measuring, complete)))
                .isEqualTo(new Progress.State(0.75, "1 of 2 complete"));
    }

    @Test
    void idealSpeedupIsTheMeanSpeedOverTheSlowest() {
        assertThat(LocalWorker.idealSpeedup(LocalWorker.MIXED_BAG))
                .isCloseTo(4.31 / 3, within(1e-12));
    }

    private JsonNode json(String text) {
        return json.readTree(text);
    }
}
