package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class PlanReportTest {

    private static final String PLAN =
            """
            {"advice": "Fastest epoch: ring.", "target": 0.9, "considered": 2,
             "ranking": [
               {"tie": 1, "label": "ring", "own": false, "settings": ["workers.replicas=2"], "epochSeconds": 2.5,
                "epochSecondsLow": 2.25, "epochSecondsHigh": 2.75, "secondsToTargetLow": 4.5, "secondsToTargetHigh": 6,
                "computeSeconds": 2, "exchangeSeconds": 0.5, "uncertainty": 0.125, "bytes": 1500000,
                "secondsToTarget": 5, "reason": "communication is 20 % of a round", "doubts": ["links"]},
               {"tie": 2, "label": "tree", "own": true, "settings": [], "epochSeconds": 3, "computeSeconds": 2,
                "exchangeSeconds": 1, "uncertainty": null, "bytes": null, "secondsToTarget": null,
                "reason": "slow", "doubts": []}],
             "leftOut": ["worker c: it has no profile"],
             "trust": {"runs": 4, "meanAbsoluteError": 0.0625}}
            """;

    private static List<String> lines(String plan) {
        return PlanReport.of(JsonMapper.shared().readTree(plan)).lines().toList();
    }

    @Test
    void everyConfigurationIsALineWithReasonAndSettings() {
        assertThat(String.join("\n", lines(PLAN)))
                .isEqualTo(
                        """
                                tie  s an epoch  epoch expected  compute s  exchange s  MB sent  s to 0.9  target expected
                          ring    1        2.50    2.25 to 2.75       2.00      0.5000      1.5      5.00     4.50 to 6.00
                        * tree    2        3.00               -       2.00        1.00        -         -                -

                        1. ring: communication is 20 % of a round
                           --set 'workers.replicas=2'
                        2. tree: slow

                        Fastest epoch: ring.
                        Configurations of a tie overlap the first of it; their order within it is unknown.
                        Predictions of 4 earlier runs have a mean absolute error of 6.3 %.
                        Caveat for 1: links
                        Excluded: worker c: it has no profile\
                        """);
    }

    @Test
    void reportOmitsTargetAndMeanErrorIfThereAreNone() {
        List<String> lines =
                lines(
                        PLAN.replace("\"target\": 0.9", "\"target\": null")
                                .replace("\"meanAbsoluteError\": 0.0625", "\"runs\": 0"));

        assertThat(lines.getFirst()).endsWith("MB sent");
        assertThat(lines).contains("No completed run has tested such predictions yet.");
    }

    @Test
    void emptyRankingShowsOnlyReasons() {
        assertThat(lines("{\"ranking\": [], \"leftOut\": [\"all: too few\"]}"))
                .containsExactly("Excluded: all: too few");
    }
}
