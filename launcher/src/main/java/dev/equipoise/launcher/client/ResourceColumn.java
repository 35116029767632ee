package dev.equipoise.launcher.client;

import java.util.Locale;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Column of a table of resources.
 *
 * @param brief text for people
 * @param exact text for programs
 */
record ResourceColumn(
        String name, Function<JsonNode, String> brief, Function<JsonNode, String> exact) {

    private static final int SHORT_ID = 8;
    private static final int WIDEST = 60;

    /** A text that is computed from the resource. */
    static ResourceColumn computed(String name, Function<JsonNode, String> text) {
        return new ResourceColumn(name, text, text);
    }

    /** A field by its JSON pointer; empty if the resource does not have it. */
    static ResourceColumn field(String name, String pointer) {
        return computed(name, it -> text(it.at(pointer)));
    }

    /** An id, of which people see the beginning; commands accept that too. */
    static ResourceColumn id(String name, String pointer) {
        return new ResourceColumn(
                name, it -> shortId(text(it.at(pointer))), it -> text(it.at(pointer)));
    }

    /** A sentence, which is cut for people. */
    static ResourceColumn sentence(String name, Function<JsonNode, String> text) {
        return new ResourceColumn(name, it -> cut(text.apply(it)), text);
    }

    /** A number with four decimals for people. */
    static ResourceColumn number(String name, String pointer) {
        return new ResourceColumn(
                name,
                it ->
                        it.at(pointer).isNumber()
                                ? String.format(Locale.ROOT, "%.4f", it.at(pointer).asDouble())
                                : "",
                it -> text(it.at(pointer)));
    }

    /** A time, to the second for people. */
    static ResourceColumn time(String name, String pointer) {
        return new ResourceColumn(
                name,
                it -> text(it.at(pointer)).replaceFirst("\\.\\d+Z$", "Z"),
                it -> text(it.at(pointer)));
    }

    static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        return value.isContainer() ? value.toString() : value.asString();
    }

    private static String shortId(String id) {
        return id.substring(0, Math.min(id.length(), SHORT_ID));
    }

    private static String cut(String sentence) {
        return sentence.length() <= WIDEST ? sentence : sentence.substring(0, WIDEST - 3) + "...";
    }
}
