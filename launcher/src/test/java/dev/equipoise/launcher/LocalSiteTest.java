package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LocalSiteTest {

    private static JsonNode asking(int replicas, String selector) {
        return JsonMapper.shared()
                .readTree(
                        "{\"workers\": {\"replicas\": %d, \"selector\": %s}}"
                                .formatted(replicas, selector));
    }

    @Test
    void thereAreAsManyWorkersAsTheLargestRunAsksFor() {
        assertThat(LocalSite.wanted(List.of(asking(2, "{}"), asking(4, "{}"), asking(3, "{}"))))
                .isEqualTo(4);
    }

    private static JsonNode executed(String kind) {
        return JsonMapper.shared()
                .readTree(
                        """
                        {"workers": {"replicas": 4}, "topology": {"servers": 2},
                         "execution": {"kind": "%s"}}
                        """
                                .formatted(kind));
    }

    @Test
    void realRanksHaveAWorkerEachAndAllOthersShareOne() {
        assertThat(LocalSite.wanted(List.of(executed("real")))).isEqualTo(6);
        assertThat(LocalSite.wanted(List.of(executed("virtual")))).isEqualTo(1);
        assertThat(LocalSite.wanted(List.of(executed("replay")))).isEqualTo(1);
    }

    /** Among which the service chooses. */
    @Test
    void whereTheNumberIsLeftOpenThereAreAsManyAsThereAreCores() {
        JsonNode open =
                JsonMapper.shared()
                        .readTree(
                                """
                                {"workers": {"replicas": 2},
                                 "automatic": {"choices": ["topology", "workers.replicas"]}}
                                """);

        assertThat(LocalSite.wanted(List.of(open)))
                .isEqualTo(
                        Math.clamp(
                                Runtime.getRuntime().availableProcessors(),
                                2,
                                LocalSite.MOST_WORKERS));
    }

    @Test
    void moreThanThisMachineBearsAreRefused() {
        assertThatThrownBy(() -> LocalSite.wanted(List.of(asking(9, "{}"))))
                .isInstanceOf(WrongInput.class)
                .hasMessage(
                        "9 workers are wanted, and a laboratory on this machine has at most 8: set"
                                + " workers.replicas, or name a service with --service");
    }

    @Test
    void workersBearWhatTheRunsSelectBy() {
        assertThat(
                        LocalSite.labels(
                                List.of(
                                        asking(1, "{\"zone\": \"lab\"}"),
                                        asking(1, "{\"zone\": \"lab\", \"disk\": \"fast\"}"))))
                .containsOnly(entry("zone", "lab"), entry("disk", "fast"));
    }

    @Test
    void labelsThatNoWorkerCanBearTogetherAreRefused() {
        assertThatThrownBy(() ->
                        LocalSite.labels(
                                List.of(
                                        asking(1, "{\"zone\": \"a\"}"),
                                        asking(1, "{\"zone\": \"b\"}"))))
                .isInstanceOf(WrongInput.class)
                .hasMessageStartingWith(
                        "no worker of a laboratory on this machine bears the label zone=b");
        assertThatThrownBy(() -> LocalSite.labels(List.of(asking(1, "{\"lab\": \"1234\"}"))))
                .hasMessageContaining("lab=1234");
    }
}
