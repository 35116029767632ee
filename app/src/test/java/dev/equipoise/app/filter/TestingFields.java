package dev.equipoise.app.filter;

import java.util.List;
import java.util.Map;

/** A catalog with a field of each type. */
final class TestingFields {

    static final FieldCatalog CATALOG =
            new FieldCatalog(
                    List.of(
                            FilterField.choice(
                                    "state",
                                    FieldOrigin.ATTRIBUTE,
                                    List.of("QUEUED", "RUNNING"),
                                    "state"),
                            field("experiment", FieldType.TEXT),
                            field("tag", FieldType.TAGS),
                            field("id", FieldType.ID),
                            field("queuedAt", FieldType.TIME),
                            field("duration", FieldType.DURATION),
                            field("testAccuracy", FieldType.NUMBER),
                            field("training.batchSize", FieldType.NUMBER),
                            FilterField.choice(
                                    "synchronization.kind",
                                    FieldOrigin.CONFIGURATION,
                                    List.of("bsp", "async"),
                                    "\"synchronization.kind\""),
                            field("synchronization.order", FieldType.TEXT),
                            field("topology.order", FieldType.TEXT),
                            field("trace", FieldType.BOOLEAN)),
                    Map.of("accuracy", "testAccuracy"),
                    field("workers.selector", FieldType.TEXT));

    private TestingFields() {}

    private static FilterField field(String name, FieldType type) {
        return FilterField.of(name, type, FieldOrigin.ATTRIBUTE, "\"" + name + "\"");
    }
}
