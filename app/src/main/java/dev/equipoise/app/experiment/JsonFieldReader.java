package dev.equipoise.app.experiment;

import static java.util.stream.Collectors.toMap;

import dev.equipoise.app.problem.Suggestion;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.DisplayText;
import dev.equipoise.protocol.Registration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the fields of a JSON object. It reports violations and continues with valid placeholders,
 * so that one pass finds all mistakes; {@link #end} reports fields that were not read.
 */
public final class JsonFieldReader {

    private static final int MAX_TEXT = 200;
    private static final int MAX_TEXTS = Registration.MAX_LABELS;
    private static final int MAX_LABEL = Registration.MAX_LABEL;

    private final JsonNode object;
    private final String pointer;
    private final List<Violation> violations;
    private final Set<String> known = new TreeSet<>();

    private JsonFieldReader(JsonNode object, String pointer, List<Violation> violations) {
        this.object = object;
        this.pointer = pointer;
        this.violations = violations;
    }

    public static JsonFieldReader of(JsonNode node, List<Violation> violations) {
        return of(node, "", violations);
    }

    private static JsonFieldReader of(JsonNode node, String pointer, List<Violation> violations) {
        if (node.isObject()) {
            return new JsonFieldReader(node, pointer, violations);
        }
        violations.add(new Violation(pointer, "must be an object", plain(node)));
        return new JsonFieldReader(
                JsonNodeFactory.instance.objectNode(), pointer, new ArrayList<>());
    }

    public String text(String name, @Nullable String fallback) {
        JsonNode value = at(name);
        if (value.isMissingNode()) {
            return missing(name, fallback, "");
        }
        if (!value.isString() || value.stringValue().isBlank()) {
            return wrong(name, "must be text that is not blank", "");
        }
        if (value.stringValue().length() > MAX_TEXT) {
            return wrong(name, "must have at most " + MAX_TEXT + " characters", "");
        }
        if (!DisplayText.isValid(value.stringValue())) {
            return wrong(name, DisplayText.RULE, "");
        }
        return value.stringValue();
    }

    String oneOf(String name, @Nullable String fallback, Collection<String> allowed) {
        String text = text(name, fallback);
        if (!text.isEmpty() && !allowed.contains(text)) {
            String rule = "must be one of " + List.copyOf(allowed);
            return wrong(name, rule + Suggestion.after(text, allowed), "");
        }
        return text;
    }

    /** Reads a value of an enumeration by its name in definitions. */
    <E extends Enum<E>> E named(String name, E fallback) {
        Map<String, E> names = names(fallback.getDeclaringClass());
        String chosen = oneOf(name, nameOf(names, fallback), names.keySet());
        return names.getOrDefault(chosen, fallback);
    }

    private static <E extends Enum<E>> Map<String, E> names(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .collect(
                        toMap(
                                it -> it.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                                it -> it,
                                (first, _) -> first,
                                LinkedHashMap::new));
    }

    private static <E> String nameOf(Map<String, E> names, E value) {
        return names.entrySet().stream()
                .filter(it -> it.getValue().equals(value))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /**
     * Reads the kind of a choice. The fields of an unknown kind are unknown, too, and not reported.
     */
    String kind(String fallback, Collection<String> kinds) {
        String kind = oneOf("kind", fallback, kinds);
        if (kind.isEmpty()) {
            known.addAll(object.propertyNames());
        }
        return kind;
    }

    public int integer(String name, @Nullable Integer fallback, int least, int most) {
        JsonNode value = at(name);
        if (value.isMissingNode()) {
            return missing(name, fallback, least);
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            return wrong(name, "must be a whole number", least);
        }
        if (value.longValue() < least || value.longValue() > most) {
            return wrong(name, "must be from %d to %d".formatted(least, most), least);
        }
        return value.intValue();
    }

    /** Reads a whole number; empty if the field is missing or contains the word. */
    Optional<Integer> integerOr(String word, String name, int least, int most) {
        JsonNode value = at(name);
        if (value.isMissingNode() || (value.isString() && value.stringValue().equals(word))) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber()) {
            reject(name, "must be %s or a whole number".formatted(word));
            return Optional.empty();
        }
        return Optional.of(integer(name, null, least, most));
    }

    long wide(String name, long fallback) {
        JsonNode value = at(name);
        if (value.isMissingNode()) {
            return fallback;
        }
        return value.isIntegralNumber() && value.canConvertToLong()
                ? value.longValue()
                : wrong(name, "must be a whole number of 64 bits", fallback);
    }

    /** Reads a number from {@code least} to {@code most}. */
    public double number(String name, @Nullable Double fallback, double least, double most) {
        JsonNode value = at(name);
        double placeholder = fallback != null ? fallback : least;
        if (value.isMissingNode()) {
            return missing(name, fallback, placeholder);
        }
        if (!value.isNumber()) {
            return wrong(name, "must be a number", placeholder);
        }
        double number = finite(value);
        return number >= least && number <= most
                ? number
                : wrong(name, "must be from %s to %s".formatted(least, most), placeholder);
    }

    boolean flag(String name, boolean fallback) {
        JsonNode value = at(name);
        if (value.isMissingNode()) {
            return fallback;
        }
        return value.isBoolean()
                ? value.booleanValue()
                : wrong(name, "must be true or false", fallback);
    }

    /**
     * Reads true or false, which may be quoted; empty if the field is missing or contains the word.
     */
    Optional<Boolean> flagOr(String word, String name) {
        JsonNode value = at(name);
        String text = value.isString() ? value.stringValue() : value.toString();
        if (value.isMissingNode() || text.equals(word)) {
            return Optional.empty();
        }
        if (!text.equals("true") && !text.equals("false")) {
            reject(name, "must be %s, true or false".formatted(word));
            return Optional.empty();
        }
        return Optional.of(text.equals("true"));
    }

    /**
     * Reads a list of numbers, or a single number; reports a list whose length is not one of {@code
     * sizes}.
     *
     * @param sizes in ascending order
     */
    List<Double> numbers(
            String name,
            @Nullable List<Double> fallback,
            List<Integer> sizes,
            double least,
            double most) {
        JsonNode value = at(name);
        List<Double> placeholder = Collections.nCopies(sizes.getFirst(), 1.0);
        if (value.isMissingNode()) {
            return missing(name, fallback, placeholder);
        }
        if (value.isNumber() && sizes.contains(1)) {
            return within(value, least, most)
                    ? List.of(value.doubleValue())
                    : wrong(name, "must be from %s to %s".formatted(least, most), placeholder);
        }
        if (!value.isArray() || !sizes.contains(value.size())) {
            return wrong(
                    name, "must be a list of %s numbers".formatted(either(sizes)), placeholder);
        }
        int before = violations.size();
        for (int i = 0; i < value.size(); i++) {
            if (!within(value.get(i), least, most)) {
                violations.add(
                        new Violation(
                                "%s/%s/%d".formatted(pointer, escape(name), i),
                                "must be a number from %s to %s".formatted(least, most),
                                plain(value.get(i))));
            }
        }
        return violations.size() > before
                ? placeholder
                : value.valueStream().map(JsonNode::doubleValue).toList();
    }

    /** Reads a list of whole numbers. */
    List<Integer> integers(String name, int longest, int least, int most) {
        List<Double> numbers =
                numbers(
                        name,
                        null,
                        IntStream.rangeClosed(1, longest).boxed().toList(),
                        least,
                        most);
        if (!numbers.stream().allMatch(number -> number == Math.rint(number))) {
            return wrong(name, "must be whole numbers", List.of(least));
        }
        return numbers.stream().map(Double::intValue).toList();
    }

    private static boolean within(JsonNode value, double least, double most) {
        return value.isNumber() && finite(value) >= least && finite(value) <= most;
    }

    /** Returns NaN, which is within no limits, if the number does not fit into 64 bits. */
    private static double finite(JsonNode number) {
        return number.asDouble(Double.NaN);
    }

    private static String either(List<Integer> sizes) {
        if (sizes.size() > 4) {
            return "%d to %d".formatted(sizes.getFirst(), sizes.getLast());
        }
        return sizes.stream().distinct().map(String::valueOf).collect(Collectors.joining(" or "));
    }

    /** Returns the object of a field, or an empty one if it is missing. */
    public JsonFieldReader object(String name) {
        JsonNode value = at(name);
        return of(
                value.isMissingNode() ? JsonNodeFactory.instance.objectNode() : value,
                pointer + "/" + escape(name),
                violations);
    }

    /** Returns the object of a field, which may be abbreviated to a text with its kind. */
    JsonFieldReader choice(String name) {
        JsonNode value = at(name);
        return value.isString()
                ? new JsonFieldReader(
                        JsonNodeFactory.instance.objectNode().put("kind", value.stringValue()),
                        pointer + "/" + escape(name),
                        violations)
                : object(name);
    }

    boolean has(String name) {
        return object.has(name);
    }

    /** Tells whether an optional field is present. */
    public boolean given(String name) {
        return !at(name).isMissingNode();
    }

    /** Reports a violation that only the caller can detect, of a field or a part of it. */
    public void note(String path, String rule) {
        violations.add(new Violation(pointer + "/" + path, rule, plain(object.at("/" + path))));
    }

    /** Returns the elements of a list. */
    public List<Element> elements(String name, int least, int most) {
        JsonNode list = at(name);
        if (!list.isArray() || list.size() < least || list.size() > most) {
            return wrong(
                    name, "must be a list of %d to %d elements".formatted(least, most), List.of());
        }
        String start = pointer + "/" + escape(name) + "/";
        return IntStream.range(0, list.size())
                .mapToObj(index -> new Element(list.path(index), start + index, violations))
                .toList();
    }

    /** An element of a list of alternatives. */
    public record Element(JsonNode value, String pointer, List<Violation> violations) {

        /** Returns the fields of the element; reports an element that is not an object. */
        public JsonFieldReader object() {
            return JsonFieldReader.of(value, pointer, violations);
        }

        /** Returns the kind of the element with its fields; reports an element of another kind. */
        Optional<Variant> variant(Collection<String> kinds) {
            if (value.isString() && kinds.contains(value.stringValue())) {
                return Optional.of(
                        new Variant(
                                value.stringValue(),
                                empty(),
                                JsonFieldReader.of(empty(), pointer, violations)));
            }
            if (value.isObject() && value.size() == 1) {
                String kind = value.propertyNames().iterator().next();
                if (kinds.contains(kind)) {
                    JsonNode content = value.path(kind);
                    JsonNode fields = content.isObject() ? content : empty();
                    return Optional.of(
                            new Variant(
                                    kind,
                                    content,
                                    JsonFieldReader.of(
                                            fields, pointer + "/" + escape(kind), violations)));
                }
            }
            violations.add(
                    new Violation(
                            pointer,
                            "must be one of %s, or an object of one field of that name%s"
                                    .formatted(kinds, Suggestion.after(word(), kinds)),
                            plain(value)));
            return Optional.empty();
        }

        /** Returns the text, or the name of the only field; empty without either. */
        private String word() {
            if (value.isObject() && value.size() == 1) {
                return value.propertyNames().iterator().next();
            }
            return value.isString() ? value.stringValue() : "";
        }

        private static JsonNode empty() {
            return JsonNodeFactory.instance.objectNode();
        }
    }

    /**
     * A kind with its fields.
     *
     * @param content the fields, or a number that abbreviates them
     */
    record Variant(String kind, JsonNode content, JsonFieldReader reader) {

        /** Reports a value for a kind without fields. */
        void plain() {
            if (!content.isObject()) {
                reader.violations.add(
                        new Violation(
                                reader.pointer,
                                "must not have a value",
                                JsonFieldReader.plain(content)));
            }
        }

        /** Returns the fields; a number instead is the value of the given field. */
        JsonFieldReader fields(String main) {
            if (content.isObject() || main.isEmpty()) {
                return reader;
            }
            ((ObjectNode) reader.object).set(main, content);
            return reader;
        }
    }

    /** Reads labels, which are limited in number and length as those of workers are. */
    Map<String, String> texts(String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        JsonFieldReader fields = object(name);
        if (fields.object.size() > MAX_TEXTS) {
            return wrong(name, "must have at most " + MAX_TEXTS + " fields", texts);
        }
        if (fields.object.propertyNames().stream().anyMatch(key -> key.length() > MAX_LABEL)) {
            return wrong(name, "must have names of at most " + MAX_LABEL + " characters", texts);
        }
        if (!fields.object.propertyNames().stream().allMatch(DisplayText::isValid)) {
            return wrong(
                    name, "must have names without control characters or line separators", texts);
        }
        fields.object.propertyNames().forEach(key -> texts.put(key, fields.text(key, null)));
        return texts;
    }

    /** Tells whether the field has a value that {@link #numbers} might read. */
    boolean isNumberOrList(String name) {
        JsonNode value = object.path(name);
        return value.isNumber() || value.isArray();
    }

    /** Reads numbers by rank, as in {@code {0: 2.31}}; ranks are below {@code ranks}. */
    Map<Integer, Double> byRank(String name, int ranks, double least, double most) {
        Map<Integer, Double> numbers = new TreeMap<>();
        JsonFieldReader fields = object(name);
        for (String rank : List.copyOf(fields.object.propertyNames())) {
            double number = fields.number(rank, null, least, most);
            if (rank.matches("[0-9]{1,9}") && Integer.parseInt(rank) < ranks) {
                numbers.put(Integer.parseInt(rank), number);
            } else {
                fields.wrong(rank, "must be a rank from 0 to %d".formatted(ranks - 1), "");
            }
        }
        return numbers;
    }

    /** Reports that a field breaks a rule that involves other fields. */
    public void reject(String name, String rule) {
        wrong(name, rule, "");
    }

    /** Reports every field that was not read. */
    public void end() {
        end(Set.of());
    }

    /**
     * Reports every field that was not read.
     *
     * @param elsewhere fields beside these that are read elsewhere, for the list of fields
     */
    void end(Set<String> elsewhere) {
        Set<String> fields = new TreeSet<>(known);
        fields.addAll(elsewhere);
        object.propertyNames().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> wrong(name, Suggestion.unknown("field", name, fields), ""));
    }

    private JsonNode at(String name) {
        known.add(name);
        return object.path(name);
    }

    private <T> T missing(String name, @Nullable T fallback, T placeholder) {
        return fallback != null ? fallback : wrong(name, "must be given", placeholder);
    }

    private <T> T wrong(String name, String rule, T placeholder) {
        violations.add(new Violation(pointer + "/" + escape(name), rule, plain(object.path(name))));
        return placeholder;
    }

    static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    /** Returns the value for a violation, truncated if it is long. */
    static @Nullable Object plain(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        String text = value.isString() ? value.stringValue() : value.toString();
        return value.isNumber() || value.isBoolean()
                ? value
                : text.substring(0, Math.min(text.length(), MAX_TEXT));
    }
}
