package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DemoResultTest {

    private static final String COMPARISON =
            """
            {"baseline": "a", "runs": [
              {"partitioning": {"kind": "equal"}, "shares": [30, 30], "predictedEpochSeconds": 9.0,
               "epochSeconds": 10.0, "testAccuracy": 0.97, "replicasIdentical": true, "speedup": 1.0,
               "ranks": [
                 {"rank": 0, "worker": "slow-1", "samples": 30, "computeSeconds": 8.0,
                  "transferSeconds": 1.0, "waitSeconds": 0.5, "bytesSent": 2500000},
                 {"rank": 1, "worker": "fast", "samples": 30, "computeSeconds": 3.0,
                  "transferSeconds": 1.0, "waitSeconds": 5.5, "bytesSent": 2500000}]},
              {"partitioning": {"kind": "functional"}, "shares": [20, 40],
               "predictedEpochSeconds": 8.0, "epochSeconds": 8.0, "testAccuracy": 0.972,
               "replicasIdentical": false, "speedup": 1.25, "ranks": []}]}
            """;

    private final DemoResult result =
            DemoResult.of("mnist", JsonMapper.builder().build().readTree(COMPARISON));

    @Test
    void speedupIsThatOfTheLastRun() {
        assertThat(result.speedup()).isEqualTo(1.25);
        assertThat(result.runs())
                .extracting(DemoResult.RunResult::partitioning)
                .containsExactly("equal", "functional");
    }

    @Test
    void tableShowsPredictionAccuracyAndEveryRank() {
        String table = result.table(60, 2, 4.0 / 3);

        assertThat(table)
                .contains("predicted 9.00 s, measured 10.00 s (prediction -10.0 %)")
                .contains("test accuracy 0.9700, replicas bit-identical")
                .contains("replicas NOT IDENTICAL")
                .contains("     0  slow-1       30       8.00        1.00    0.50       2.5")
                .contains("Speedup of functional over equal: 1.250 (ideal 1.333)");
    }

    @Test
    void summaryHasTheFieldsThatScriptsRead() {
        var summary = JsonMapper.builder().build().valueToTree(result);

        assertThat(summary.propertyNames()).containsExactly("dataset", "runs", "speedup");
        assertThat(summary.path("runs").path(0).propertyNames())
                .contains(
                        "partitioning",
                        "shares",
                        "predictedEpochSeconds",
                        "epochSeconds",
                        "testAccuracy",
                        "ranks");
        assertThat(summary.path("runs").path(0).path("ranks").path(0).propertyNames())
                .contains(
                        "rank",
                        "samples",
                        "computeSeconds",
                        "transferSeconds",
                        "waitSeconds",
                        "bytesSent");
    }
}
