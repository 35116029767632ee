package dev.equipoise.testing.page;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Words for the kind of values of a setting, such as "duration" or "requests per second". */
final class ValueKind {

    /** Units with which the description of a number begins. */
    static final String UNITS =
            "attempts|bytes|epochs|factor|port|requests|samples|seconds|streams|threads";

    private static final Pattern UNIT =
            Pattern.compile(
                    "((?:" + UNITS + ")(?: per (?:second|minute|hour))?)\\b.*",
                    Pattern.CASE_INSENSITIVE);

    private ValueKind() {}

    /**
     * Returns the words for a type.
     *
     * @param description of the setting, which begins with the unit of a number
     * @return empty for a number without a unit
     * @throws IllegalArgumentException if there are no words for the type
     */
    static String of(Class<?> type, String description) {
        if (type.isEnum()) {
            return Arrays.stream(Objects.requireNonNull(type.getEnumConstants()))
                    .map(it -> "`%s`".formatted(it.toString().toLowerCase(Locale.ROOT)))
                    .collect(joining(" or "));
        }
        return switch (type.getSimpleName()) {
            case "Duration" -> "duration";
            case "DataSize" -> size(unit(description));
            case "boolean", "Boolean" -> "`true` or `false`";
            case "int", "Integer", "long", "Long", "double", "Double" -> unit(description);
            case "Path" -> "path";
            case "URI" -> "URL";
            case "String", "Map" -> "text";
            case "List" -> "list of texts";
            default -> throw new IllegalArgumentException("no words for values of " + type);
        };
    }

    private static String size(String unit) {
        return unit.startsWith("bytes per ") ? unit.replaceFirst("bytes", "size") : "size";
    }

    private static String unit(String description) {
        Matcher unit = UNIT.matcher(description);
        return unit.matches() ? unit.group(1).toLowerCase(Locale.ROOT) : "";
    }
}
