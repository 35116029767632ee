package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LocalSiteTest {

    private static JsonNode configuration(int replicas, String selector) {
        return JsonMapper.shared()
                .readTree(
                        "{\"workers\": {\"replicas\": %d, \"selector\": %s}}"
                                .formatted(replicas, selector));
    }

    @Test
    void labHasAsManyWorkersAsTheLargestRunNeeds() {
        assertThat(
                        LocalSite.requiredWorkers(
                                List.of(
                                        configuration(2, "{}"),
                                        configuration(4, "{}"),
                                        configuration(3, "{}"))))
                .isEqualTo(4);
    }

    private static JsonNode withExecution(String kind) {
        return JsonMapper.shared()
                .readTree(
                        """
                        {"workers": {"replicas": 4}, "topology": {"servers": 2},
                         "execution": {"kind": "%s"}}
                        """
                                .formatted(kind));
    }

    @Test
    void realRanksHaveAWorkerEachAndOtherRanksShareOne() {
        assertThat(LocalSite.requiredWorkers(List.of(withExecution("real")))).isEqualTo(6);
        assertThat(LocalSite.requiredWorkers(List.of(withExecution("virtual")))).isEqualTo(1);
        assertThat(LocalSite.requiredWorkers(List.of(withExecution("replay")))).isEqualTo(1);
    }

    @Test
    void automaticReplicasGetAsManyWorkersAsCores() {
        JsonNode open =
                JsonMapper.shared()
                        .readTree(
                                """
                                {"workers": {"replicas": 2},
                                 "automatic": {"choices": ["topology", "workers.replicas"]}}
                                """);

        assertThat(LocalSite.requiredWorkers(List.of(open)))
                .isEqualTo(
                        Math.clamp(
                                Runtime.getRuntime().availableProcessors(),
                                2,
                                LocalSite.MAX_WORKERS));
    }

    @Test
    void moreWorkersThanTheMaximumAreRejected() {
        assertThatThrownBy(() -> LocalSite.requiredWorkers(List.of(configuration(9, "{}"))))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "the runs need 9 workers, and a lab on this machine has at most 8: lower"
                                + " workers.replicas, or name a service with --service");
    }

    @Test
    void workersHaveTheLabelsThatRunsSelect() {
        assertThat(
                        LocalSite.labels(
                                List.of(
                                        configuration(1, "{\"zone\": \"lab\"}"),
                                        configuration(
                                                1, "{\"zone\": \"lab\", \"disk\": \"fast\"}"))))
                .containsOnly(entry("zone", "lab"), entry("disk", "fast"));
    }

    @Test
    void contradictoryLabelsAreRejected() {
        assertThatThrownBy(() ->
                        LocalSite.labels(
                                List.of(
                                        configuration(1, "{\"zone\": \"a\"}"),
                                        configuration(1, "{\"zone\": \"b\"}"))))
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith("no worker of a lab on this machine has the label zone=b");
        assertThatThrownBy(() -> LocalSite.labels(List.of(configuration(1, "{\"lab\": \"1234\"}"))))
                .hasMessageContaining("lab=1234");
    }
}
