package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ComparisonReportTest {

    private static final String GROUPS =
            """
            "groups": [
              {"label": "ring", "runs": ["a", "b"], "completed": 2, "reached": 2,
               "figures": {
                 "finalAccuracy": {"count": 2, "mean": 0.95, "low": 0.94, "high": 0.96},
                 "bestAccuracy": {"count": 2, "mean": 0.97, "low": 0.96, "high": 0.98},
                 "secondsToTarget": {"count": 2, "mean": 4, "low": 3, "high": 5},
                 "bytesToTarget": {"count": 2, "mean": 1500000, "low": 1, "high": 1},
                 "trainingSeconds": {"count": 2, "mean": 8, "low": 7.5, "high": 8.5},
                 "communicationSeconds": {"count": 2, "mean": 1, "low": 1, "high": 1},
                 "synchronizationSeconds": {"count": 2, "mean": 2.5, "low": 1, "high": 4},
                 "hiddenSeconds": {"count": 2, "mean": 0, "low": 0, "high": 0},
                 "encodeSeconds": {"count": 2, "mean": 0, "low": 0, "high": 0},
                 "bytesSent": {"count": 2, "mean": 2500000, "low": 1, "high": 1}},
               "ratios": {"timeToTarget": 1, "bytesToTarget": 1, "trainingTime": 1,
                 "communicationTime": 1, "synchronizationTime": 1, "bytesSent": 1},
               "accuracyDifference": null},
              {"label": "async, slow", "runs": ["c"], "completed": 1, "reached": 0,
               "figures": {
                 "finalAccuracy": {"count": 1, "mean": 0.5, "low": null, "high": null},
                 "bestAccuracy": {"count": 1, "mean": 0.75, "low": null, "high": null},
                 "replicaAccuracy": {"count": 1, "mean": 0.375, "low": null, "high": null},
                 "bestReplicaAccuracy": {"count": 1, "mean": 0.4, "low": null, "high": null},
                 "secondsToTarget": null,
                 "trainingSeconds": {"count": 1, "mean": 16, "low": null, "high": null},
                 "communicationSeconds": {"count": 1, "mean": 0, "low": null, "high": null},
                 "synchronizationSeconds": {"count": 1, "mean": 0.5, "low": null, "high": null},
                 "hiddenSeconds": {"count": 1, "mean": 3.25, "low": null, "high": null},
                 "bytesSent": {"count": 1, "mean": 625000, "low": null, "high": null}},
               "ratios": {"timeToTarget": null, "bytesToTarget": null, "trainingTime": 0.5,
                 "communicationTime": null, "synchronizationTime": 5, "bytesSent": 0.25},
               "ratioEstimates": {"trainingTime": {"count": 2, "mean": 0.5, "low": 0.45, "high": 0.55}},
               "accuracyDifference": {"count": 2, "mean": -0.45, "low": -0.46, "high": -0.44}},
              {"label": "tree", "runs": ["d"], "completed": 0, "reached": 0,
               "figures": {}, "ratios": null, "accuracyDifference": null}]
            """;

    private static List<String> lines(String target, String groups) {
        return ComparisonReport.of(
                        JsonMapper.shared()
                                .readTree("{\"target\": %s, %s}".formatted(target, groups)))
                .lines()
                .toList();
    }

    @Test
    void resultsAndCostsOfTheGroupsAreTwoTables() {
        assertThat(String.join("\n", lines("null", GROUPS).subList(0, 9)))
                .isEqualTo(
                        """
                                       runs                 accuracy    best                  difference  replicas  best replica
                        ring         2 of 2  0.9500 [0.9400, 0.9600]  0.9700                           -         -             -
                        async, slow  1 of 1                   0.5000  0.7500  -0.4500 [-0.4600, -0.4400]    0.3750        0.4000
                        tree         0 of 1                        -       -                           -         -             -

                                            training s               speedup   transfer s  with wait s  hidden s     MB sent
                        ring         8.00 [7.50, 8.50]                 1.000  1.00 (1.00)  2.50 (1.00)      0.00  2.5 (1.00)
                        async, slow              16.00  0.500 [0.450, 0.550]         0.00   0.5 (5.00)      3.25  0.6 (4.00)
                        tree                         -                     -            -            -         -           -\
                        """);
    }

    @Test
    void comparedReplicasPrecedeTheirMean() {
        List<String> lines = lines("null, \"compared\": \"replicas\"", GROUPS);

        assertThat(String.join("\n", lines.subList(0, 4)))
                .isEqualTo(
                        """
                                       runs  accuracy  best replica                  difference  mean model
                        ring         2 of 2         -             -                           -      0.9500
                        async, slow  1 of 1    0.3750        0.4000  -0.4500 [-0.4600, -0.4400]      0.5000
                        tree         0 of 1         -             -                           -           -\
                        """);
        assertThat(lines)
                .contains(
                        "Accuracy is the mean of those of the single replicas, best replica the"
                                + " highest of them; mean model is that of their mean.");
    }

    @Test
    void predictedRunsHaveATableOfPredictions() {
        String runs =
                """
                "runs": [
                  {"run": "a", "epochSeconds": 2.0, "predictedEpochSeconds": 1.8, "predictionError": -0.1},
                  {"run": "b", "epochSeconds": 1.0, "predictedEpochSeconds": 1.2, "predictionError": 0.2},
                  {"run": "c", "epochSeconds": 4.0, "predictedEpochSeconds": null}],
                """;

        assertThat(String.join("\n", lines("null", runs + GROUPS).subList(10, 14)))
                .isEqualTo(
                        """
                                     epoch s  predicted s     off
                        ring           1.500        1.500  +5.0 %
                        async, slow    4.000            -       -
                        tree               -            -       -\
                        """);
        assertThat(lines("null", GROUPS)).noneMatch(line -> line.contains("predicted"));
    }

    @Test
    void runPhasesAreATableWhoseColumnsSumToTheElapsedTime() {
        String runs =
                """
                "runs": [
                  {"run": "a", "elapsedSeconds": 12.5, "phases": {"rendezvousSeconds": 0.5,
                   "warmUpSeconds": 2, "restoreSeconds": 0, "trainingSeconds": 8,
                   "evaluationSeconds": 1, "checkpointSeconds": 0.75, "coordinationSeconds": 0.25}},
                  {"run": "b", "elapsedSeconds": 10.5, "phases": {"rendezvousSeconds": 0.5,
                   "warmUpSeconds": 0, "restoreSeconds": 0, "trainingSeconds": 8,
                   "evaluationSeconds": 1, "checkpointSeconds": 0.25, "coordinationSeconds": 0.75}},
                  {"run": "c", "elapsedSeconds": null, "phases": null}],
                """;

        List<String> lines = lines("null", runs + GROUPS);

        assertThat(String.join("\n", lines.subList(10, 14)))
                .isEqualTo(
                        """
                                     elapsed s  rendezvous  warm-up  training  evaluation  checkpoint  coordination
                        ring            11.500       0.500    1.000     8.000       1.000       0.500         0.500
                        async, slow          -           -        -         -           -           -             -
                        tree                 -           -        -         -           -           -             -\
                        """);
        assertThat(lines.getLast()).startsWith("Elapsed is the time ");
        assertThat(lines("null", GROUPS)).noneMatch(line -> line.startsWith("Elapsed"));
    }

    @Test
    void firstLineWithoutTransferGivesNoRatios() {
        List<String> lines =
                lines(
                        "null",
                        GROUPS.replace("\"communicationTime\": 1,", "\"communicationTime\": 0,"));

        assertThat(lines).noneMatch(line -> line.contains("(0.00)"));
    }

    @Test
    void columnHiddenIsOmittedIfNothingOverlaps() {
        List<String> lines = lines("null", GROUPS.replace("3.25", "0"));

        assertThat(lines).noneMatch(line -> line.toLowerCase(Locale.ROOT).contains("hidden"));
    }

    @Test
    void timesBelowOneSecondHaveThreeDigits() {
        assertThat(lines("null", GROUPS.replace("\"mean\": 16,", "\"mean\": 0.0012345,")))
                .anyMatch(line -> line.startsWith("async, slow ") && line.contains(" 0.00123 "));
    }

    @Test
    void targetAddsTimeAndBytesToAccuracy() {
        List<String> lines = lines("0.9", GROUPS);

        assertThat(lines.getFirst())
                .endsWith("replicas  best replica                  s to 0.9   MB to 0.9");
        assertThat(lines.get(1)).endsWith(" -  4.00 [3.00, 5.00] (1.00)  1.5 (1.00)");
        assertThat(lines.get(2))
                .matches("async.* -0\\.4500 \\[.*] +0\\.3750 +0\\.4000 +reached by 0 +-");
    }

    @Test
    void groupsAreRankedInTies() {
        String rankings =
                """
                "rankings": [
                  {"figure": "finalAccuracy", "ties": [[0, 2], [1]], "unranked": []},
                  {"figure": "trainingSeconds", "ties": [[1]], "unranked": [0, 2]},
                  {"figure": "secondsToTarget", "ties": [], "unranked": [0, 1, 2]}],
                """;

        assertThat(lines("null", rankings + GROUPS))
                .containsSequence(
                        "",
                        "Highest accuracy first: 1. ring = tree (tie); 2. async, slow",
                        "Shortest training first: 1. async, slow",
                        "Lines with fewer than four completed seeds, or without the figure, are not"
                                + " ranked.");
        assertThat(lines("null", GROUPS)).noneMatch(line -> line.contains("ranked"));
        assertThat(lines("null", rankings.replace("finalAccuracy", "replicaAccuracy") + GROUPS))
                .contains("Highest accuracy first: 1. ring = tree (tie); 2. async, slow");
    }
}
