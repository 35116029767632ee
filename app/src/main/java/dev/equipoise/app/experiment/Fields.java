package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Registration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
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
 * Reads the fields of one JSON object. What is wrong is noted and reading goes on with a value that
 * fits, so that all mistakes are found at once; {@link #end} notes the fields that nobody asked
 * for.
 */
public final class Fields {

    private static final int MAX_TEXT = 200;
    private static final int MAX_TEXTS = Registration.MAX_LABELS;
    private static final int MAX_LABEL = Registration.MAX_LABEL;

    private final JsonNode object;
    private final String pointer;
    private final List<Violation> violations;
    private final Set<String> known = new TreeSet<>();

    private Fields(JsonNode object, String pointer, List<Violation> violations) {
        this.object = object;
        this.pointer = pointer;
        this.violations = violations;
    }

    public static Fields of(JsonNode node, List<Violation> violations) {
        return of(node, "", violations);
    }

    private static Fields of(JsonNode node, String pointer, List<Violation> violations) {
        if (node.isObject()) {
            return new Fields(node, pointer, violations);
        }
        violations.add(new Violation(pointer, "must be an object", plain(node)));
        return new Fields(JsonNodeFactory.instance.objectNode(), pointer, new ArrayList<>());
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
        return value.stringValue();
    }

    String oneOf(String name, @Nullable String fallback, Collection<String> allowed) {
        String text = text(name, fallback);
        if (!text.isEmpty() && !allowed.contains(text)) {
            return wrong(name, "must be one of " + List.copyOf(allowed), "");
        }
        return text;
    }

    /** One of the values of an enumeration, by the name that it has in definitions. */
    <E extends Enum<E>> E named(String name, E fallback) {
        Map<String, E> names = MethodReader.names(fallback.getDeclaringClass());
        String chosen = oneOf(name, nameOf(names, fallback), names.keySet());
        return names.getOrDefault(chosen, fallback);
    }

    private static <E> String nameOf(Map<String, E> names, E value) {
        return names.entrySet().stream()
                .filter(it -> it.getValue().equals(value))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /** The kind of a choice; which fields belong to one that does not exist, nobody knows. */
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

    /** A whole number, or empty for a word, which also stands for what is not there. */
    Optional<Integer> integerOr(String word, String name, int least, int most) {
        JsonNode value = at(name);
        if (value.isMissingNode() || (value.isString() && value.stringValue().equals(word))) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber()) {
            refuse(name, "must be %s, or a whole number".formatted(word));
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

    /** A number from {@code least} to {@code most}. */
    public double number(String name, @Nullable Double fallback, double least, double most) {
        JsonNode value = at(name);
        double stopgap = fallback != null ? fallback : least;
        if (value.isMissingNode()) {
            return missing(name, fallback, stopgap);
        }
        if (!value.isNumber()) {
            return wrong(name, "must be a number", stopgap);
        }
        double number = finite(value);
        return number >= least && number <= most
                ? number
                : wrong(name, "must be from %s to %s".formatted(least, most), stopgap);
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
     * Numbers, or a single one; noted is a list of another length than one of {@code sizes}.
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
        List<Double> stopgap = Collections.nCopies(sizes.getFirst(), 1.0);
        if (value.isMissingNode()) {
            return missing(name, fallback, stopgap);
        }
        if (value.isNumber() && sizes.contains(1)) {
            return within(value, least, most)
                    ? List.of(value.doubleValue())
                    : wrong(name, "must be from %s to %s".formatted(least, most), stopgap);
        }
        if (!value.isArray() || !sizes.contains(value.size())) {
            return wrong(name, "must be a list of %s numbers".formatted(either(sizes)), stopgap);
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
                ? stopgap
                : value.valueStream().map(JsonNode::doubleValue).toList();
    }

    /** A list of whole numbers. */
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

    /** NaN, which is within no bounds, where a number has no place among those of 64 bits. */
    private static double finite(JsonNode number) {
        return number.asDouble(Double.NaN);
    }

    private static String either(List<Integer> sizes) {
        if (sizes.size() > 4) {
            return "%d to %d".formatted(sizes.getFirst(), sizes.getLast());
        }
        return sizes.stream().distinct().map(String::valueOf).collect(Collectors.joining(" or "));
    }

    /** An object, or an empty one where there is none. */
    public Fields object(String name) {
        JsonNode value = at(name);
        return of(
                value.isMissingNode() ? JsonNodeFactory.instance.objectNode() : value,
                pointer + "/" + escape(name),
                violations);
    }

    /** An object whose short form is a text that names its kind. */
    Fields choice(String name) {
        JsonNode value = at(name);
        return value.isString()
                ? new Fields(
                        JsonNodeFactory.instance.objectNode().put("kind", value.stringValue()),
                        pointer + "/" + escape(name),
                        violations)
                : object(name);
    }

    boolean has(String name) {
        return object.has(name);
    }

    /** Whether a field of which there may be none is there. */
    public boolean given(String name) {
        return !at(name).isMissingNode();
    }

    /** Notes what only the reader knows to be wrong with a field, or with a part of it. */
    public void note(String path, String rule) {
        violations.add(new Violation(pointer + "/" + path, rule, plain(object.at("/" + path))));
    }

    /** The elements of a list. */
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

    /** One element of a list that stands for one of several kinds. */
    public record Element(JsonNode value, String pointer, List<Violation> violations) {

        /** Its fields; that it is no object is noted. */
        public Fields object() {
            return Fields.of(value, pointer, violations);
        }

        /** Its kind, where that is one of the given; what else it is, is noted. */
        Optional<Variant> variant(Collection<String> kinds) {
            if (value.isString() && kinds.contains(value.stringValue())) {
                return Optional.of(
                        new Variant(
                                value.stringValue(),
                                empty(),
                                Fields.of(empty(), pointer, violations)));
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
                                    Fields.of(fields, pointer + "/" + escape(kind), violations)));
                }
            }
            violations.add(
                    new Violation(
                            pointer,
                            "must be one of %s, or an object of one field of that name"
                                    .formatted(kinds),
                            plain(value)));
            return Optional.empty();
        }

        private static JsonNode empty() {
            return JsonNodeFactory.instance.objectNode();
        }
    }

    /**
     * A kind with its fields.
     *
     * @param content its fields, or the one number that says it all
     */
    record Variant(String kind, JsonNode content, Fields given) {

        /** Notes what stands there where nothing should. */
        void plain() {
            if (!content.isObject()) {
                given.violations.add(
                        new Violation(given.pointer, "takes no value", Fields.plain(content)));
            }
        }

        /** The fields; where there is a number instead, it stands for the field named. */
        Fields fields(String main) {
            if (content.isObject() || main.isEmpty()) {
                return given;
            }
            ((ObjectNode) given.object).set(main, content);
            return given;
        }
    }

    /** Labels, no more and no longer ones than a worker may bear. */
    Map<String, String> texts(String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        Fields fields = object(name);
        if (fields.object.size() > MAX_TEXTS) {
            return wrong(name, "must have at most " + MAX_TEXTS + " fields", texts);
        }
        if (fields.object.propertyNames().stream().anyMatch(key -> key.length() > MAX_LABEL)) {
            return wrong(name, "must have names of at most " + MAX_LABEL + " characters", texts);
        }
        fields.object.propertyNames().forEach(key -> texts.put(key, fields.text(key, null)));
        return texts;
    }

    /** Whether something stands there that {@link #numbers} might read. */
    boolean isNumberOrList(String name) {
        JsonNode value = object.path(name);
        return value.isNumber() || value.isArray();
    }

    /** Numbers by rank, as in {@code {0: 2.31}}; ranks are below {@code ranks}. */
    Map<Integer, Double> byRank(String name, int ranks, double least, double most) {
        Map<Integer, Double> numbers = new TreeMap<>();
        Fields fields = object(name);
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

    /** Notes that a field breaks a rule which takes more than the field. */
    public void refuse(String name, String rule) {
        wrong(name, rule, "");
    }

    /** Notes every field that was not read. */
    public void end() {
        object.propertyNames().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> wrong(name, "is not a field; the fields here are " + known, ""));
    }

    private JsonNode at(String name) {
        known.add(name);
        return object.path(name);
    }

    private <T> T missing(String name, @Nullable T fallback, T stopgap) {
        return fallback != null ? fallback : wrong(name, "is needed", stopgap);
    }

    private <T> T wrong(String name, String rule, T stopgap) {
        violations.add(new Violation(pointer + "/" + escape(name), rule, plain(object.path(name))));
        return stopgap;
    }

    /** RFC 6901. */
    static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    /** What stood there, for a violation; cut where it is long. */
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
