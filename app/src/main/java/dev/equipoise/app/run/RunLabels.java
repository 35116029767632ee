package dev.equipoise.app.run;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import dev.equipoise.app.configuration.ConfigurationValues;
import dev.equipoise.app.configuration.WrittenPaths;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells the runs of a set apart. A run label has the written fields in which a run differs from the
 * others of its experiment, such as {@code bsp, seed 1}. Values that follow from written ones are
 * in no label, nor are those that are missing because the kind above them differs.
 */
public final class RunLabels {

    private static final String KIND = "kind";

    private RunLabels() {}

    /** Returns one label for each configuration; empty if it differs from no other. */
    public static List<String> labels(List<LabeledConfiguration> all) {
        WrittenPaths written = written(all);
        Map<String, List<ConfigurationValues>> byExperiment =
                all.stream()
                        .map(LabeledConfiguration::values)
                        .collect(groupingBy(ConfigurationValues::experiment));
        Map<String, List<FieldWords>> words = new HashMap<>();
        byExperiment.forEach((experiment, some) ->
                words.put(
                        experiment,
                        differing(some).stream()
                                .filter(written::contains)
                                .sorted(LabelParts.ORDER)
                                .map(path -> FieldWords.of(path, some))
                                .toList()));
        return all.stream()
                .map(LabeledConfiguration::values)
                .map(it -> label(it, words.getOrDefault(it.experiment(), List.of())))
                .toList();
    }

    /**
     * Words of the values of one field. Values that are equal after they are cut are numbered.
     *
     * @param byValue a word of its own for each value
     */
    private record FieldWords(String path, Map<String, String> byValue) {

        static FieldWords of(String path, List<ConfigurationValues> all) {
            List<String> values =
                    all.stream()
                            .flatMap(it -> Optional.ofNullable(it.at(path)).stream())
                            .distinct()
                            .toList();
            List<Integer> order = IntStream.range(0, values.size()).boxed().toList();
            List<String> words =
                    numbered(values.stream().map(it -> LabelParts.of(path, it)).toList(), order);
            return new FieldWords(path, order.stream().collect(toMap(values::get, words::get)));
        }

        /** Returns the word of the value; empty if the configuration has none. */
        Optional<String> word(ConfigurationValues values) {
            return Optional.ofNullable(values.at(path)).map(it -> byValue.getOrDefault(it, it));
        }
    }

    private static WrittenPaths written(List<LabeledConfiguration> all) {
        return all.stream()
                .map(LabeledConfiguration::written)
                .distinct()
                .reduce(WrittenPaths.NONE, WrittenPaths::and);
    }

    private static String label(ConfigurationValues values, List<FieldWords> words) {
        return words.stream().flatMap(it -> it.word(values).stream()).collect(joining(", "));
    }

    /**
     * Returns the labels with the name of the experiment in front if there are several, or in place
     * of an empty label. Equal configurations have equal titles.
     */
    public static List<String> titles(List<LabeledConfiguration> all) {
        boolean isOneExperiment =
                all.stream().map(it -> it.values().experiment()).distinct().count() <= 1;
        List<String> labels = labels(all);
        return IntStream.range(0, all.size())
                .mapToObj(i ->
                        title(all.get(i).values().experiment(), labels.get(i), isOneExperiment))
                .toList();
    }

    private static String title(String experiment, String label, boolean isOneExperiment) {
        if (label.isEmpty()) {
            return experiment;
        }
        return isOneExperiment ? label : experiment + ": " + label;
    }

    /** Returns unique names: the titles, numbered by queue time if they are equal. */
    public static List<String> names(List<LabeledConfiguration> all) {
        List<Integer> byQueueTime =
                IntStream.range(0, all.size())
                        .boxed()
                        .sorted(Comparator.comparing(it -> all.get(it).queuedAt()))
                        .toList();
        return numbered(titles(all), byQueueTime);
    }

    /**
     * Numbers equal titles: the second is {@code ring (2)}.
     *
     * @param order indices of the titles, in the order of their numbers
     */
    public static List<String> numbered(List<String> titles, List<Integer> order) {
        Set<String> taken = new LinkedHashSet<>();
        Map<Integer, String> names = new HashMap<>();
        for (int index : order) {
            String title = titles.get(index);
            String name = title;
            for (int number = 2; !taken.add(name); number++) {
                name = "%s (%d)".formatted(title, number);
            }
            names.put(index, name);
        }
        return IntStream.range(0, titles.size())
                .mapToObj(it -> Objects.requireNonNull(names.get(it)))
                .toList();
    }

    /** Returns the fields in which configurations differ, in the order of labels. */
    public static List<FieldDifference> differences(List<LabeledConfiguration> all) {
        WrittenPaths written = written(all);
        List<ConfigurationValues> values = all.stream().map(LabeledConfiguration::values).toList();
        return differing(values).stream()
                .sorted(LabelParts.ORDER)
                .map(path ->
                        new FieldDifference(
                                path,
                                LabelParts.name(path),
                                written.contains(path),
                                values.stream().<@Nullable String>map(it -> it.at(path)).toList()))
                .toList();
    }

    private static List<String> differing(List<ConfigurationValues> all) {
        Set<String> paths = new LinkedHashSet<>();
        all.forEach(it -> paths.addAll(it.byPath().keySet()));
        return paths.stream().filter(it -> differs(it, all)).toList();
    }

    private static boolean differs(String path, List<ConfigurationValues> all) {
        long values =
                all.stream().map(it -> it.at(path)).filter(Objects::nonNull).distinct().count();
        boolean isMissing = all.stream().anyMatch(it -> !it.byPath().containsKey(path));
        return values > 1 || (isMissing && !followsFromKind(path, all));
    }

    private static boolean followsFromKind(String path, List<ConfigurationValues> all) {
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            String kind = path.substring(0, dot + 1) + KIND;
            if (!kind.equals(path)
                    && all.stream()
                                    .map(it -> Objects.requireNonNullElse(it.at(kind), ""))
                                    .distinct()
                                    .count()
                            > 1) {
                return true;
            }
        }
        return false;
    }
}
