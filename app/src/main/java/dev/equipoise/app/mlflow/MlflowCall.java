package dev.equipoise.app.mlflow;

import dev.equipoise.app.mlflow.TrackedRun.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Call of MLflow's REST API. In its body {@value #EXPERIMENT} stands for the id in the last
 * response of {@code experiments/create}, and {@value #RUN} for that of {@code runs/create}.
 *
 * @param path below the address of the tracking server
 */
record MlflowCall(String method, String path, JsonNode body) {

    static final String EXPERIMENT = "$experiment_id";
    static final String RUN = "$run_id";

    /** Limits of a batch: metrics, parameters, tags, and all together. */
    static final int MAX_METRICS = 1000;

    static final int MAX_PARAMS = 100;
    static final int MAX_TAGS = 100;
    static final int MAX_ENTITIES = 1000;

    /** Limit of the body of a batch, in bytes of UTF-8. */
    static final int MAX_BYTES = 1_000_000;

    private static final String API = "/api/2.0/mlflow/";

    /** Creates the experiment; must be the first call. */
    static MlflowCall create(TrackedExperiment experiment) {
        ObjectNode body = object();
        body.put("name", experiment.name());
        return post("experiments/create", body);
    }

    /** Returns the calls that create a run, log its data and end it. */
    static List<MlflowCall> of(TrackedRun run) {
        ObjectNode create = object();
        create.put("experiment_id", EXPERIMENT)
                .put("run_name", run.name())
                .put("start_time", run.start());
        ObjectNode update = object();
        update.put("run_id", RUN).put("status", run.status().name()).put("end_time", run.end());
        return Stream.of(
                        Stream.of(post("runs/create", create)),
                        batches(run).stream(),
                        Stream.of(post("runs/update", update)))
                .flatMap(calls -> calls)
                .toList();
    }

    private static List<MlflowCall> batches(TrackedRun run) {
        List<MlflowCall> calls = new ArrayList<>();
        Batch batch = new Batch();
        for (Entity entity : entities(run)) {
            if (!batch.hasRoomFor(entity)) {
                calls.add(batch.call());
                batch = new Batch();
            }
            batch.add(entity);
        }
        calls.add(batch.call());
        return calls;
    }

    private static List<Entity> entities(TrackedRun run) {
        List<Entity> entities = new ArrayList<>();
        run.params()
                .forEach((key, value) -> entities.add(new Entity(Kind.PARAMS, pair(key, value))));
        run.tags().forEach((key, value) -> entities.add(new Entity(Kind.TAGS, pair(key, value))));
        run.metrics().forEach(metric -> entities.add(new Entity(Kind.METRICS, metric(metric))));
        return entities;
    }

    private enum Kind {
        PARAMS("params", MAX_PARAMS),
        TAGS("tags", MAX_TAGS),
        METRICS("metrics", MAX_METRICS);

        private final String list;
        private final int most;

        Kind(String list, int most) {
            this.list = list;
            this.most = most;
        }
    }

    /** Item of a batch. */
    private record Entity(Kind kind, ObjectNode fields, int bytes) {

        /** Counts the comma after the item. */
        Entity(Kind kind, ObjectNode fields) {
            this(kind, fields, JsonMapper.shared().writeValueAsBytes(fields).length + 1);
        }
    }

    /** Items of one call. */
    private static final class Batch {

        /**
         * Bytes around the items: names of the lists, syntax, and the run id in place of its
         * placeholder.
         */
        private static final int FRAME = 400;

        private final ObjectNode body = object().put("run_id", RUN);
        private int entities;
        private int bytes = FRAME;

        boolean hasRoomFor(Entity entity) {
            return entities < MAX_ENTITIES
                    && body.path(entity.kind().list).size() < entity.kind().most
                    && bytes + entity.bytes() <= MAX_BYTES;
        }

        void add(Entity entity) {
            ArrayNode list = body.withArray(entity.kind().list);
            list.add(entity.fields());
            entities++;
            bytes += entity.bytes();
        }

        MlflowCall call() {
            return post("runs/log-batch", body);
        }
    }

    private static ObjectNode pair(String key, String value) {
        return object().put("key", key).put("value", value);
    }

    private static ObjectNode metric(Metric metric) {
        return object().put("key", metric.key())
                .put("value", metric.value())
                .put("timestamp", metric.timestamp())
                .put("step", metric.step());
    }

    private static MlflowCall post(String endpoint, JsonNode body) {
        return new MlflowCall("POST", API + endpoint, body);
    }

    private static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }
}
