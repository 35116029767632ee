package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ComparisonReportTest {

    private static final String GROUPS =
            """
            "groups": [
              {"label": "ring", "runs": ["a", "b"], "completed": 2, "reached": 2,
               "figures": {
                 "finalAccuracy": {"count": 2, "mean": 0.95, "low": 0.94, "high": 0.96},
                 "secondsToTarget": {"count": 2, "mean": 4, "low": 3, "high": 5},
                 "trainingSeconds": {"count": 2, "mean": 8, "low": 8, "high": 8},
                 "communicationSeconds": {"count": 2, "mean": 1, "low": 1, "high": 1},
                 "synchronizationSeconds": {"count": 2, "mean": 2.5, "low": 1, "high": 4},
                 "bytesSent": {"count": 2, "mean": 2500000, "low": 1, "high": 1}},
               "ratios": {"timeToTarget": 1, "trainingTime": 1}},
              {"label": "flat, slow", "runs": ["c"], "completed": 1, "reached": 0,
               "figures": {
                 "finalAccuracy": {"count": 1, "mean": 0.5, "low": null, "high": null},
                 "secondsToTarget": null,
                 "trainingSeconds": {"count": 1, "mean": 16, "low": null, "high": null}},
               "ratios": {"timeToTarget": null, "trainingTime": 0.5}},
              {"label": "tree", "runs": ["d"], "completed": 0, "reached": 0,
               "figures": {}, "ratios": null}]
            """;

    private static List<String> lines(String target) {
        return ComparisonReport.of(
                        JsonMapper.shared()
                                .readTree("{\"target\": %s, %s}".formatted(target, GROUPS)))
                .lines()
                .toList();
    }

    @Test
    void eachGroupIsALineWithItsSpeedUpOfTraining() {
        assertThat(lines("null").subList(0, 4))
                .containsExactly(
                        "              runs         accuracy  training s  transfer s  with wait s  MB"
                                + " sent  speed-up",
                        "ring        2 of 2  0.9500 ± 0.0100        8.00        1.00         2.50     "
                                + " 2.5     1.000",
                        "flat, slow  1 of 1           0.5000       16.00           -            -     "
                                + "   -     0.500",
                        "tree        0 of 1                -           -           -            -     "
                                + "   -         -");
    }

    @Test
    void timesBelowASecondKeepThreeDigits() {
        String report =
                ComparisonReport.of(
                        JsonMapper.shared()
                                .readTree(
                                        "{\"target\": null, %s}"
                                                .formatted(
                                                        GROUPS.replace(
                                                                "\"mean\": 8,",
                                                                "\"mean\": 0.0012345,"))));

        assertThat(report).contains(" 0.00123 ");
    }

    @Test
    void withATargetTheTimeToItCounts() {
        assertThat(lines("0.9"))
                .anyMatch(line -> line.matches("ring .* 4\\.00 .* 1\\.000"))
                .anyMatch(line -> line.matches("flat, slow .*reached by 0 .* -"))
                .anyMatch(line -> line.contains("training until accuracy 0.9"));
    }
}
