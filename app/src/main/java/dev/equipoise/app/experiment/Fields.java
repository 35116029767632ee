package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Registration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads the fields of one JSON object. What is wrong is noted and reading goes on with a value that
 * fits, so that all mistakes are found at once; {@link #end} notes the fields that nobody asked
 * for.
 */
final class Fields {

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

    static Fields of(JsonNode node, List<Violation> violations) {
        return of(node, "", violations);
    }

    private static Fields of(JsonNode node, String pointer, List<Violation> violations) {
        if (node.isObject()) {
            return new Fields(node, pointer, violations);
        }
        violations.add(new Violation(pointer, "must be an object", plain(node)));
        return new Fields(JsonNodeFactory.instance.objectNode(), pointer, new ArrayList<>());
    }

    String text(String name, @Nullable String fallback) {
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

    int integer(String name, @Nullable Integer fallback, int least, int most) {
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
    double number(String name, double fallback, double least, double most) {
        JsonNode value = at(name);
        if (value.isMissingNode()) {
            return fallback;
        }
        if (!value.isNumber()) {
            return wrong(name, "must be a number", fallback);
        }
        double number = value.doubleValue();
        return number >= least && number <= most
                ? number
                : wrong(name, "must be from %s to %s".formatted(least, most), fallback);
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

    private static boolean within(JsonNode value, double least, double most) {
        return value.isNumber() && value.doubleValue() >= least && value.doubleValue() <= most;
    }

    private static String either(List<Integer> sizes) {
        return sizes.stream().distinct().map(String::valueOf).collect(Collectors.joining(" or "));
    }

    /** An object, or an empty one where there is none. */
    Fields object(String name) {
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

    boolean has(String name) {
        return object.has(name);
    }

    /** Notes that a field breaks a rule which takes more than the field. */
    void refuse(String name, String rule) {
        wrong(name, rule, "");
    }

    /** Notes every field that was not read. */
    void end() {
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
