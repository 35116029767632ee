package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Finds a resource by its name, its id, or a beginning of its id that no other one has. */
public final class ResourceNames {

    private static final Pattern ID =
            Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int SHORTEST = 4;

    private ResourceNames() {}

    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /**
     * Returns the id of the resource among others.
     *
     * @param kind the resource in messages, such as {@code worker}
     * @throws LabFailure if none fits, or several
     */
    public static String idOf(String kind, String text, List<JsonNode> items) {
        List<JsonNode> named =
                items.stream().filter(it -> it.path("name").asString("").equals(text)).toList();
        List<JsonNode> fitting = named.isEmpty() ? beginning(text, items) : named;
        if (fitting.size() == 1) {
            return fitting.getFirst().path("id").asString("");
        }
        throw new LabFailure(
                fitting.isEmpty()
                        ? none(kind, text)
                        : "%d resources of the kind %s are called %s: write more of the id (%s)"
                                .formatted(fitting.size(), kind, text, ids(fitting)));
    }

    private static String none(String kind, String text) {
        String sentence = "there is no %s %s".formatted(kind, text);
        return text.length() < SHORTEST
                ? sentence + "; a beginning of an id has at least %d characters".formatted(SHORTEST)
                : sentence;
    }

    private static List<JsonNode> beginning(String text, List<JsonNode> items) {
        String start = text.toLowerCase(Locale.ROOT);
        return items.stream()
                .filter(it ->
                        start.length() >= SHORTEST && it.path("id").asString("").startsWith(start))
                .toList();
    }

    private static String ids(List<JsonNode> items) {
        return items.stream()
                .limit(SHORTEST)
                .map(it -> it.path("id").asString(""))
                .collect(joining(", "));
    }
}
