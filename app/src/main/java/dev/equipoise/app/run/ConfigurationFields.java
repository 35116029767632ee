package dev.equipoise.app.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.filter.FieldOrigin;
import dev.equipoise.app.filter.FieldType;
import dev.equipoise.app.filter.FilterField;
import dev.equipoise.app.problem.BodyMismatch;
import dev.equipoise.protocol.RunId;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Fields of run configurations for filters, read from the types that their JSON is written from:
 * the path of each single value, such as {@code training.batchSize}. Each is a column of the table
 * {@code run_search}. Lists and maps are left out.
 */
final class ConfigurationFields {

    /** Fields that do not distinguish runs, or are the name of the experiment. */
    private static final Set<String> LEFT_OUT = Set.of("apiVersion", "name", "automatic");

    private static final Set<Class<?>> NUMBERS =
            Set.of(int.class, long.class, double.class, Integer.class, Long.class, Double.class);
    private static final Set<Class<?>> FLAGS = Set.of(boolean.class, Boolean.class);

    private final Map<String, FilterField> fields = new LinkedHashMap<>();

    private ConfigurationFields() {}

    static List<FilterField> all() {
        var found = new ConfigurationFields();
        found.addComponents("", RunConfiguration.class);
        return List.copyOf(found.fields.values());
    }

    private void addComponents(String prefix, Class<?> type) {
        for (RecordComponent component : Objects.requireNonNull(type.getRecordComponents())) {
            String path = prefix + component.getName();
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                addComponents(prefix, component.getType());
            } else if (!LEFT_OUT.contains(path)) {
                add(path, component.getType());
            }
        }
    }

    private void add(String path, Class<?> type) {
        if (NUMBERS.contains(type)) {
            put(path, FieldType.NUMBER);
        } else if (FLAGS.contains(type)) {
            put(path, FieldType.BOOLEAN);
        } else if (type.equals(String.class)) {
            put(path, FieldType.TEXT);
        } else if (type.equals(RunId.class)) {
            put(path, FieldType.ID);
        } else if (type.isEnum()) {
            putChoice(path, BodyMismatch.names(type));
        } else if (type.isAnnotationPresent(JsonSubTypes.class)) {
            addVariants(path, type);
        } else if (type.isRecord()) {
            addComponents(path + ".", type);
        }
    }

    /** Adds the choice between the variants of a sealed type, and the fields of each. */
    private void addVariants(String path, Class<?> type) {
        List<JsonSubTypes.Type> variants =
                List.of(Objects.requireNonNull(type.getAnnotation(JsonSubTypes.class)).value());
        JsonTypeInfo choice = Objects.requireNonNull(type.getAnnotation(JsonTypeInfo.class));
        putChoice(
                path + "." + choice.property(),
                variants.stream().map(JsonSubTypes.Type::name).toList());
        variants.forEach(it -> addComponents(path + ".", it.value()));
    }

    private void put(String path, FieldType type) {
        fields.put(path, FilterField.of(path, type, FieldOrigin.CONFIGURATION, column(path)));
    }

    /** Adds a choice; variants may have one of the same name with other words. */
    private void putChoice(String path, List<String> words) {
        FilterField known = fields.get(path);
        List<String> all =
                known == null
                        ? words
                        : Stream.concat(known.values().stream(), words.stream())
                                .distinct()
                                .toList();
        fields.put(path, FilterField.choice(path, FieldOrigin.CONFIGURATION, all, column(path)));
    }

    /** Returns the column of a field in SQL, where names have a dot only in quotes. */
    static String column(String path) {
        return "\"" + path + "\"";
    }
}
