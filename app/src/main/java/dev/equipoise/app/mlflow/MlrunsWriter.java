package dev.equipoise.app.mlflow;

import dev.equipoise.app.mlflow.TrackedRun.Metric;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a folder in the layout of MLflow's file store as a ZIP file: {@code mlruns}, in it a
 * folder of the experiment, in it a folder of each run with a file for each parameter, metric and
 * tag. Equal runs give equal bytes.
 */
final class MlrunsWriter {

    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
    private static final int LOCAL_SOURCE = 4;

    private final ZipOutputStream zip;
    private final TrackedExperiment experiment;
    private final String folder;

    /** Writes the metadata of the experiment. */
    MlrunsWriter(OutputStream out, TrackedExperiment experiment) throws IOException {
        this.zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
        this.experiment = experiment;
        this.folder = "mlruns/" + experiment.id() + "/";
        write(folder + "meta.yaml", yaml(ofExperiment()));
    }

    private Map<String, Object> ofExperiment() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("artifact_location", folder.substring(0, folder.length() - 1));
        fields.put("creation_time", experiment.created());
        fields.put("experiment_id", experiment.id());
        fields.put("last_update_time", experiment.created());
        fields.put("lifecycle_stage", "active");
        fields.put("name", experiment.name());
        return fields;
    }

    void add(TrackedRun run) throws IOException {
        String place = folder + run.id() + "/";
        write(place + "meta.yaml", yaml(ofRun(run, place)));
        for (Map.Entry<String, String> param : run.params().entrySet()) {
            write(place + "params/" + param.getKey(), param.getValue());
        }
        for (Map.Entry<String, String> tag : run.tags().entrySet()) {
            write(place + "tags/" + tag.getKey(), tag.getValue());
        }
        for (Map.Entry<String, String> metric : lines(run).entrySet()) {
            write(place + "metrics/" + metric.getKey(), metric.getValue());
        }
        write(place + "artifacts/", "");
    }

    private Map<String, Object> ofRun(TrackedRun run, String place) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("artifact_uri", place + "artifacts");
        fields.put("end_time", run.end());
        fields.put("entry_point_name", "");
        fields.put("experiment_id", experiment.id());
        fields.put("lifecycle_stage", "active");
        fields.put("run_id", run.id());
        fields.put("run_name", run.name());
        fields.put("run_uuid", run.id());
        fields.put("source_name", "");
        fields.put("source_type", LOCAL_SOURCE);
        fields.put("source_version", "");
        fields.put("start_time", run.start());
        fields.put("status", run.status().number());
        fields.put("user_id", "");
        return fields;
    }

    /** Returns the lines of each metric: timestamp, value and epoch. */
    private static Map<String, String> lines(TrackedRun run) {
        return run.metrics().stream()
                .collect(
                        Collectors.groupingBy(
                                Metric::key,
                                LinkedHashMap::new,
                                Collectors.mapping(
                                        it ->
                                                "%d %s %d\n"
                                                        .formatted(
                                                                it.timestamp(),
                                                                it.value(),
                                                                it.step()),
                                        Collectors.joining())));
    }

    void finish() throws IOException {
        zip.finish();
    }

    /** Writes values as JSON, since each JSON text is valid YAML, whatever its characters. */
    private static String yaml(Map<String, Object> fields) {
        return fields.entrySet().stream()
                .map(it ->
                        "%s: %s\n"
                                .formatted(
                                        it.getKey(),
                                        JsonMapper.shared().writeValueAsString(it.getValue())))
                .collect(Collectors.joining());
    }

    private void write(String path, String text) throws IOException {
        ZipEntry entry = new ZipEntry(path);
        entry.setTimeLocal(NO_TIME);
        zip.putNextEntry(entry);
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
