package dev.equipoise.app.run;

import dev.equipoise.app.filter.FieldCatalog;
import dev.equipoise.app.filter.FieldOrigin;
import dev.equipoise.app.filter.FieldType;
import dev.equipoise.app.filter.FilterField;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Fields by which runs are filtered and sorted. All but two are columns of {@code run_search}. */
final class RunFields {

    static final FilterField QUEUED_AT = attribute("queuedAt", FieldType.TIME);

    private static final List<FilterField> ATTRIBUTES =
            List.of(
                    FilterField.of("id", FieldType.ID, FieldOrigin.ATTRIBUTE, "run_id"),
                    FilterField.of(
                            "project",
                            FieldType.TEXT,
                            FieldOrigin.ATTRIBUTE,
                            "(select project.name from project where project.id = run_search.project_id)"),
                    attribute("experiment", FieldType.TEXT),
                    FilterField.of(
                            "experimentId", FieldType.ID, FieldOrigin.ATTRIBUTE, "experiment_id"),
                    attribute("version", FieldType.NUMBER),
                    FilterField.of("position", FieldType.NUMBER, FieldOrigin.ATTRIBUTE, "position"),
                    FilterField.choice(
                            "state",
                            FieldOrigin.ATTRIBUTE,
                            Arrays.stream(RunState.values()).map(RunState::name).toList(),
                            ConfigurationFields.column("state")),
                    attribute("priority", FieldType.NUMBER),
                    attribute("tag", FieldType.TAGS),
                    QUEUED_AT,
                    attribute("startedAt", FieldType.TIME),
                    attribute("endedAt", FieldType.TIME),
                    attribute("duration", FieldType.DURATION),
                    attribute("failure", FieldType.TEXT),
                    attribute("restartCount", FieldType.NUMBER),
                    attribute("preemptionCount", FieldType.NUMBER));

    private static final List<FilterField> RESULTS =
            List.of(
                    result("testAccuracy", FieldType.NUMBER),
                    result("testLoss", FieldType.NUMBER),
                    result("bestAccuracy", FieldType.NUMBER),
                    result("trainingLoss", FieldType.NUMBER),
                    result("epochSeconds", FieldType.DURATION),
                    result("predictedEpochSeconds", FieldType.DURATION),
                    result("trainingSeconds", FieldType.DURATION),
                    result("bytesSent", FieldType.NUMBER),
                    result("epochsTrained", FieldType.NUMBER),
                    result("replicaAccuracy", FieldType.NUMBER),
                    result("replicaLoss", FieldType.NUMBER),
                    result("consensusDistance", FieldType.NUMBER),
                    result("relativeConsensusDistance", FieldType.NUMBER),
                    result("replicasIdentical", FieldType.BOOLEAN));

    /** Labels that all workers of a run must have, each a field: {@code workers.selector.room}. */
    private static final FilterField SELECTOR =
            FilterField.of(
                    "workers.selector",
                    FieldType.TEXT,
                    FieldOrigin.CONFIGURATION,
                    ConfigurationFields.column("workers.selector"));

    /** Short names that are no ends of names, or ends of several. */
    private static final Map<String, String> ALIASES =
            Map.of(
                    "accuracy", "testAccuracy",
                    "loss", "testLoss",
                    "name", "experiment",
                    "tags", "tag",
                    "dataset", "dataset.name",
                    "network", "network.preset",
                    "method", "synchronization.kind",
                    "replicas", "workers.replicas");

    static final FieldCatalog CATALOG =
            new FieldCatalog(
                    Stream.of(ATTRIBUTES, RESULTS, ConfigurationFields.all())
                            .flatMap(List::stream)
                            .toList(),
                    ALIASES,
                    SELECTOR);

    private RunFields() {}

    private static FilterField attribute(String name, FieldType type) {
        return FilterField.of(name, type, FieldOrigin.ATTRIBUTE, ConfigurationFields.column(name));
    }

    private static FilterField result(String name, FieldType type) {
        return FilterField.of(name, type, FieldOrigin.RESULT, ConfigurationFields.column(name));
    }
}
