package dev.equipoise.app.worker;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.DisplayText;
import dev.equipoise.protocol.Registration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the labels of a worker by administrators, over those that its agent reports: a value,
 * or null for a label that is removed. They outlive restarts of the agent.
 */
final class LabelChanges {

    private LabelChanges() {}

    /** Returns the labels of a worker. */
    static Map<String, String> apply(
            Map<String, String> reported, Map<String, @Nullable String> changes) {
        Map<String, String> labels = new TreeMap<>(reported);
        changes.forEach((name, value) -> {
            if (value == null) {
                labels.remove(name);
            } else {
                labels.put(name, value);
            }
        });
        return labels;
    }

    /**
     * Returns the earlier changes with the wanted ones, without those that change nothing.
     *
     * @throws Problem {@code invalid-request} if a wanted name or value is not one of a label, or
     *     there are too many changes
     */
    static Map<String, @Nullable String> merge(
            Map<String, String> reported,
            Map<String, @Nullable String> earlier,
            Map<String, @Nullable String> wanted) {
        requireFew(wanted);
        List<Violation> violations = new ArrayList<>();
        wanted.forEach((name, value) -> check(name, value, violations));
        if (!violations.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, violations);
        }
        Map<String, @Nullable String> merged = new TreeMap<>(earlier);
        merged.putAll(wanted);
        merged.entrySet()
                .removeIf(it -> Objects.equals(it.getValue(), reported.get(it.getKey())));
        requireFew(merged);
        return Collections.unmodifiableMap(merged);
    }

    private static void requireFew(Map<String, @Nullable String> changes) {
        if (changes.size() > Registration.MAX_LABELS) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "/labels",
                                    "must change at most %d labels of the worker"
                                            .formatted(Registration.MAX_LABELS),
                                    changes.size())));
        }
    }

    private static void check(String name, @Nullable String value, List<Violation> violations) {
        if (!isText(name)) {
            violations.add(new Violation("/labels", "must have names that " + rule(), name));
        }
        if (value != null && !isText(value)) {
            violations.add(new Violation("/labels/" + name, rule(), value));
        }
    }

    private static boolean isText(String text) {
        return !text.isBlank()
                && text.length() <= Registration.MAX_LABEL
                && DisplayText.isValid(text);
    }

    private static String rule() {
        return "must have 1 to %d characters, and %s"
                .formatted(Registration.MAX_LABEL, DisplayText.RULE);
    }
}
