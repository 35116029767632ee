package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunReportTest {

    private static final JsonNode TWO_RUNS =
            JsonMapper.shared()
                    .readTree(
                            """
                            {"runs": [{"run": "a"}, {"run": "b"}], "groups": [
                              {"label": "ring", "runs": ["a"], "completed": 1, "reached": 0, "figures": {}},
                              {"label": "tree", "runs": ["b"], "completed": 0, "reached": 0, "figures": {}}]}
                            """);
    private static final String FAILURE = "tree, seed 1 (run b) failed: rank 1 was lost (worker)";

    @Test
    void reasonOfAFailurePrecedesTheTables() {
        assertThat(RunReport.of(TWO_RUNS, List.of(FAILURE)).lines())
                .startsWith(FAILURE, "")
                .anyMatch(it -> it.startsWith("ring  1 of 1"));
    }

    @Test
    void withoutACompletedRunThereAreReasonsAlone() {
        assertThat(RunReport.of(TWO_RUNS, List.of("ring was canceled", FAILURE)))
                .isEqualTo("ring was canceled\n" + FAILURE + "\n");
    }

    @Test
    void completedRunsHaveTablesAlone() {
        assertThat(RunReport.of(TWO_RUNS, List.of())).startsWith("      ").doesNotContain("failed");
    }
}
