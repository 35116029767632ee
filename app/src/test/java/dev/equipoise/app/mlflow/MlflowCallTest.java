package dev.equipoise.app.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.mlflow.TrackedRun.Metric;
import dev.equipoise.app.run.RunState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MlflowCallTest {

    private static TrackedRun run(int params, int tags, int metrics, String value) {
        return new TrackedRun(
                "run",
                TrackedRun.Status.FINISHED,
                1000,
                2000,
                pairs(params, value),
                IntStream.range(0, metrics)
                        .mapToObj(step -> new Metric("loss", 0.5, 1000L + step, step))
                        .toList(),
                pairs(tags, value));
    }

    private static Map<String, String> pairs(int count, String value) {
        return IntStream.range(0, count)
                .boxed()
                .collect(
                        Collectors.toMap(
                                number -> "key" + number,
                                _ -> value,
                                (one, _) -> one,
                                LinkedHashMap::new));
    }

    private static List<JsonNode> batches(TrackedRun run) {
        return MlflowCall.of(run).stream()
                .filter(call -> call.path().endsWith("/runs/log-batch"))
                .map(MlflowCall::body)
                .toList();
    }

    private static List<Integer> sizes(TrackedRun run, String kind) {
        return batches(run).stream().map(batch -> batch.path(kind).size()).toList();
    }

    @Test
    void runIsCreatedLoggedAndEnded() {
        List<MlflowCall> calls = MlflowCall.of(run(1, 1, 1, "x"));

        assertThat(calls)
                .extracting(MlflowCall::path)
                .containsExactly(
                        "/api/2.0/mlflow/runs/create",
                        "/api/2.0/mlflow/runs/log-batch",
                        "/api/2.0/mlflow/runs/update");
        assertThat(calls.getFirst().body())
                .hasToString(
                        "{\"experiment_id\":\"$experiment_id\",\"run_name\":\"run\",\"start_time\":1000}");
        assertThat(calls.getLast().body().path("status").stringValue()).isEqualTo("FINISHED");
    }

    @Test
    void batchHasAtMost1000Metrics() {
        assertThat(sizes(run(0, 0, 1000, "x"), "metrics")).containsExactly(1000);
        assertThat(sizes(run(0, 0, 1001, "x"), "metrics")).containsExactly(1000, 1);
    }

    @Test
    void batchHasAtMost100ParametersAnd100Tags() {
        assertThat(sizes(run(100, 0, 0, "x"), "params")).containsExactly(100);
        assertThat(sizes(run(101, 0, 0, "x"), "params")).containsExactly(100, 1);
        assertThat(sizes(run(0, 101, 0, "x"), "tags")).containsExactly(100, 1);
    }

    @Test
    void batchHasAtMost1000Items() {
        TrackedRun run = run(100, 100, 801, "x");

        assertThat(sizes(run, "metrics")).containsExactly(800, 1);
        assertThat(sizes(run, "params")).containsExactly(100, 0);
    }

    @Test
    void batchHasAtMostOneMegabyte() {
        TrackedRun run = run(0, 200, 0, "\u20ac".repeat(5000));

        assertThat(batches(run))
                .hasSizeGreaterThan(2)
                .allSatisfy(batch ->
                        assertThat(JsonMapper.shared().writeValueAsBytes(batch).length)
                                .isLessThanOrEqualTo(MlflowCall.MAX_BYTES));
        assertThat(sizes(run, "tags").stream().mapToInt(it -> it).sum()).isEqualTo(200);
        assertThat(sizes(run, "tags").getFirst()).isEqualTo(66);
    }

    @Test
    void statusFollowsTheRunState() {
        assertThat(TrackedRun.Status.of(RunState.COMPLETED)).isEqualTo(TrackedRun.Status.FINISHED);
        assertThat(TrackedRun.Status.of(RunState.FAILED)).isEqualTo(TrackedRun.Status.FAILED);
        assertThat(TrackedRun.Status.of(RunState.CANCELLED)).isEqualTo(TrackedRun.Status.KILLED);
    }
}
