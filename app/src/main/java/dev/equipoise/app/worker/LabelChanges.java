package dev.equipoise.app.worker;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.DisplayText;
import dev.equipoise.protocol.Registration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the labels of a worker by administrators, over those that its agent reports. They
 * outlive restarts of the agent.
 *
 * @param set values by label
 * @param removed labels that the worker does not have, even if its agent reports them
 */
record LabelChanges(Map<String, String> set, Set<String> removed) {

    static final LabelChanges NONE = new LabelChanges(Map.of(), Set.of());

    LabelChanges {
        set = Map.copyOf(set);
        removed = Set.copyOf(removed);
    }

    /** Returns the labels of a worker. */
    Map<String, String> over(Map<String, String> reported) {
        Map<String, String> labels = new HashMap<>(reported);
        labels.keySet().removeAll(removed);
        labels.putAll(set);
        return labels;
    }

    /**
     * Returns these changes with further ones, also with those that change nothing now: the next
     * process of the agent may report other labels.
     *
     * @param wanted values by name of the label; null removes the label
     * @throws Problem {@code invalid-request} if a name or a value is not one of a label, or there
     *     are too many changes
     */
    LabelChanges with(Map<String, @Nullable String> wanted) {
        requireFew(wanted.size());
        requireValid(wanted);
        Map<String, String> nextSet = new HashMap<>(set);
        Set<String> nextRemoved = new HashSet<>(removed);
        wanted.forEach((name, value) -> {
            if (value == null) {
                nextSet.remove(name);
                nextRemoved.add(name);
            } else {
                nextSet.put(name, value);
                nextRemoved.remove(name);
            }
        });
        requireFew(nextSet.size() + nextRemoved.size());
        return new LabelChanges(nextSet, nextRemoved);
    }

    private static void requireFew(int changes) {
        if (changes > Registration.MAX_LABELS) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "/labels",
                                    "must change at most %d labels of the worker"
                                            .formatted(Registration.MAX_LABELS),
                                    changes)));
        }
    }

    private static void requireValid(Map<String, @Nullable String> wanted) {
        List<Violation> violations = new ArrayList<>();
        wanted.forEach((name, value) -> {
            require(isText(name), "/labels", "names " + rule(), name, violations);
            if (value != null) {
                require(isText(value), "/labels/" + escaped(name), rule(), value, violations);
            }
        });
        if (!violations.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, violations);
        }
    }

    private static void require(
            boolean condition,
            String pointer,
            String rule,
            String value,
            List<Violation> violations) {
        if (!condition) {
            violations.add(new Violation(pointer, rule, value));
        }
    }

    /** Escapes a name for a JSON pointer (RFC 6901). */
    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
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
