package dev.equipoise.app.run;

import static java.util.Comparator.comparingInt;
import static java.util.Comparator.naturalOrder;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.equipoise.app.filter.FilterField;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Words of single values in run labels. */
final class LabelParts {

    /** Paths in the order of labels: that of the fields by which runs are filtered, seed last. */
    static final Comparator<String> ORDER = comparingInt(LabelParts::place);

    /** Limit of a value in characters; a list of layers may be long. */
    private static final int MAX_VALUE = 40;

    private static final String KIND = ".kind";
    private static final String SEED = "seed";

    private static final List<String> FIELDS =
            RunFields.CATALOG.all().stream().map(FilterField::name).toList();

    /** Number of choices that have a word. */
    private static final Map<String, Long> CHOICES =
            RunFields.CATALOG.all().stream()
                    .flatMap(it -> it.values().stream())
                    .collect(groupingBy(it -> it, counting()));

    private LabelParts() {}

    private static int place(String path) {
        int field = FIELDS.indexOf(path);
        return path.equals(SEED) ? Integer.MAX_VALUE : field < 0 ? FIELDS.size() : field;
    }

    /**
     * Returns the word of a choice if no other choice has it, such as {@code ring}, else the name
     * and the value, such as {@code batchSize 16}.
     */
    static String of(String path, String value) {
        return isClear(path, value) ? value : name(path) + " " + shortened(value);
    }

    private static boolean isClear(String path, String value) {
        return field(path).filter(it -> it.values().contains(value)).isPresent()
                && CHOICES.getOrDefault(value, 0L) == 1;
    }

    private static String shortened(String value) {
        return value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE - 1) + "…";
    }

    /** Returns the shortest name of a field. */
    static String name(String path) {
        return field(path)
                .flatMap(field ->
                        Stream.concat(
                                        RunFields.CATALOG.aliases(field).stream(),
                                        Stream.of(field.name()))
                                .min(comparingInt(String::length).thenComparing(naturalOrder())))
                .orElseGet(() -> withoutKind(path));
    }

    private static Optional<FilterField> field(String path) {
        return RunFields.CATALOG.find(path).filter(it -> it.name().equals(path));
    }

    private static String withoutKind(String path) {
        return path.endsWith(KIND) ? path.substring(0, path.length() - KIND.length()) : path;
    }
}
