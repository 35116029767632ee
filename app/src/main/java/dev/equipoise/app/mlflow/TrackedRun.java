package dev.equipoise.app.mlflow;

import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Run in the terms of MLflow.
 *
 * @param start in milliseconds since 1970
 * @param end in milliseconds since 1970
 * @param params by name, in the order of the configuration
 */
record TrackedRun(
        String name,
        Status status,
        long start,
        long end,
        Map<String, String> params,
        List<Metric> metrics,
        Map<String, String> tags) {

    private static final double MILLIS = 1000;

    /** The last millisecond of the year 9999, after which Python, and so MLflow, knows no time. */
    static final long LATEST = 253_402_300_799_999L;

    /** Run status of MLflow. */
    enum Status {
        FINISHED,
        FAILED,
        KILLED;

        static Status of(RunState state) {
            return switch (state) {
                case COMPLETED -> FINISHED;
                case CANCELLED -> KILLED;
                case FAILED, QUEUED, PLACED, PREPARING, RUNNING -> FAILED;
            };
        }
    }

    /**
     * Figure of an epoch.
     *
     * @param timestamp end of the epoch in milliseconds since 1970: the run's start plus the
     *     training time so far
     * @param step epoch, from 1
     */
    record Metric(String key, double value, long timestamp, long step) {}

    /**
     * Converts an ended run.
     *
     * @param configuration configuration of the run as a tree
     */
    static TrackedRun of(StoredExperiment experiment, RunView run, JsonNode configuration) {
        long start = (run.startedAt() == null ? run.queuedAt() : run.startedAt()).toEpochMilli();
        Instant end = run.endedAt() == null ? run.queuedAt() : run.endedAt();
        String name = run.name();
        return new TrackedRun(
                MlflowName.cut(MlflowName.MAX_NAME_LENGTH, name),
                Status.of(run.state()),
                start,
                end.toEpochMilli(),
                params(configuration),
                metrics(run, start),
                tags(experiment, run, name));
    }

    /** Returns each leaf of the configuration by its dotted path. */
    private static Map<String, String> params(JsonNode configuration) {
        Map<String, String> params = new LinkedHashMap<>();
        flatten("", configuration, params);
        return params;
    }

    private static void flatten(String path, JsonNode node, Map<String, String> params) {
        if (node.isContainer() && !node.isEmpty()) {
            String start = path.isEmpty() ? "" : path + ".";
            node.properties().forEach(it -> flatten(start + it.getKey(), it.getValue(), params));
            for (int index = 0; node.isArray() && index < node.size(); index++) {
                flatten(start + index, node.get(index), params);
            }
            return;
        }
        String value = node.isString() ? node.stringValue() : node.toString();
        params.put(
                unused(MlflowName.of(path), params),
                MlflowName.cut(MlflowName.MAX_PARAM_LENGTH, value));
    }

    /** Appends a number to a name that is taken: two converted names may be equal. */
    private static String unused(String key, Map<String, String> params) {
        String candidate = key;
        for (int number = 2; params.containsKey(candidate); number++) {
            String suffix = "_" + number;
            candidate = MlflowName.cut(MlflowName.MAX_NAME_LENGTH - suffix.length(), key) + suffix;
        }
        return candidate;
    }

    private static List<Metric> metrics(RunView run, long start) {
        List<Metric> metrics = new ArrayList<>();
        double seconds = 0;
        for (RunView.EpochView epoch : run.epochs()) {
            seconds += epoch.epochSeconds();
            new Epoch(epoch.epoch(), timestamp(start, seconds), metrics).add(epoch);
        }
        return metrics;
    }

    /** Returns a time after the start, at most {@link #LATEST}: virtual runs may be longer. */
    static long timestamp(long start, double seconds) {
        return start + (long) Math.min(seconds * MILLIS, (double) (LATEST - start));
    }

    /** Adds the figures of one epoch to the metrics. */
    private record Epoch(int epoch, long timestamp, List<Metric> metrics) {

        void add(RunView.EpochView view) {
            add("train_loss", view.meanLoss());
            add("test_accuracy", view.testAccuracy());
            add("test_loss", view.testLoss());
            add("epoch_seconds", view.epochSeconds());
            add("bytes_sent", (double) view.ranks().stream().mapToLong(it -> it.bytesSent()).sum());
            if (view.distance() != null) {
                add("replica_distance", view.distance().relative());
            }
            for (RunView.RankView rank : view.ranks()) {
                String start = "rank_" + rank.rank() + "_";
                add(start + "compute_seconds", rank.computeSeconds());
                add(start + "transfer_seconds", rank.transferSeconds());
                add(start + "wait_seconds", rank.waitSeconds());
                add(start + "samples", (double) rank.samples());
            }
        }

        private void add(String key, @Nullable Double value) {
            if (value != null) {
                metrics.add(new Metric(key, value, timestamp, epoch));
            }
        }
    }

    private static Map<String, String> tags(StoredExperiment experiment, RunView run, String name) {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put("mlflow.runName", MlflowName.cut(MlflowName.MAX_NAME_LENGTH, name));
        tags.put("mlflow.source.name", "Equipoise");
        tags.put("mlflow.source.type", "JOB");
        tags.put("equipoise.experiment", experiment.id().toString());
        tags.put("equipoise.experiment.version", String.valueOf(experiment.version()));
        tags.put("equipoise.run", run.id().toString());
        tags.put("equipoise.position", String.valueOf(run.position()));
        tags.put("equipoise.seed", String.valueOf(run.configuration().seed()));
        tags.put("equipoise.state", run.state().name());
        if (run.failure() != null) {
            tags.put("equipoise.failure", run.failure().code());
        }
        if (run.prediction() != null) {
            tags.put(
                    "equipoise.predicted_epoch_seconds",
                    String.valueOf(run.prediction().epochSeconds()));
        }
        tags.replaceAll((_, value) -> MlflowName.cut(MlflowName.MAX_TAG_LENGTH, value));
        return tags;
    }
}
