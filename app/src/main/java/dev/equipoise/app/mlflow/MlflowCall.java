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
 * A call of MLflow's REST API. In its body {@value #EXPERIMENT} stands for the id that the newest
 * {@code experiments/create} was answered with, and {@value #RUN} for that of {@code runs/create}.
 *
 * @param path below the address of the tracking server
 */
record MlflowCall(String method, String path, JsonNode body) {

    static final String EXPERIMENT = "$experiment_id";
    static final String RUN = "$run_id";

    /** Of a batch: of metrics, of parameters, of tags, and of all together. */
    static final int MOST_METRICS = 1000;

    static final int MOST_PARAMS = 100;
    static final int MOST_TAGS = 100;
    static final int MOST_ENTITIES = 1000;

    /** Of the body of a batch, as UTF-8. */
    static final int MOST_BYTES = 1_000_000;

    private static final String API = "/api/2.0/mlflow/";

    /** The first call of all. */
    static MlflowCall create(TrackedExperiment experiment) {
        ObjectNode body = object();
        body.put("name", experiment.name());
        return post("experiments/create", body);
    }

    /** Makes the run, tells what is known of it, and ends it. */
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
        List<Entity> entities = new ArrayList<>();
        run.params()
                .forEach((key, value) -> entities.add(new Entity(Kind.PARAMS, pair(key, value))));
        run.tags().forEach((key, value) -> entities.add(new Entity(Kind.TAGS, pair(key, value))));
        run.metrics().forEach(metric -> entities.add(new Entity(Kind.METRICS, metric(metric))));
        List<MlflowCall> calls = new ArrayList<>();
        Batch batch = new Batch();
        for (Entity entity : entities) {
            if (!batch.hasRoomFor(entity)) {
                calls.add(batch.call());
                batch = new Batch();
            }
            batch.add(entity);
        }
        calls.add(batch.call());
        return calls;
    }

    private enum Kind {
        PARAMS("params", MOST_PARAMS),
        TAGS("tags", MOST_TAGS),
        METRICS("metrics", MOST_METRICS);

        private final String list;
        private final int most;

        Kind(String list, int most) {
            this.list = list;
            this.most = most;
        }
    }

    /** One of the things that a batch holds. */
    private record Entity(Kind kind, ObjectNode fields, int bytes) {

        /** With the comma behind it. */
        Entity(Kind kind, ObjectNode fields) {
            this(kind, fields, JsonMapper.shared().writeValueAsBytes(fields).length + 1);
        }
    }

    /** What one call tells. */
    private static final class Batch {

        /** Of the names of the lists and all that is around them, and of an id for its stand-in. */
        private static final int FRAME = 400;

        private final ObjectNode body = object().put("run_id", RUN);
        private int entities;
        private int bytes = FRAME;

        boolean hasRoomFor(Entity entity) {
            return entities < MOST_ENTITIES
                    && body.path(entity.kind().list).size() < entity.kind().most
                    && bytes + entity.bytes() <= MOST_BYTES;
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
