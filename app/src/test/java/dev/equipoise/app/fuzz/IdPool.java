package dev.equipoise.app.fuzz;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Ids of existing resources by kind, learned from answers, so that later requests name resources
 * that earlier ones created.
 */
final class IdPool {

    /** Most ids of a kind; a further id replaces the oldest. */
    private static final int KEPT = 100;

    /** Most items of a list from which ids are learned. */
    private static final int LEARNED_ITEMS = 20;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern PLACEHOLDER = Pattern.compile("/\\{[^}]+}");

    /** The kind of resource by field, parameter, or last fixed segment of a path. */
    private static final Map<String, String> KINDS =
            Map.ofEntries(
                    entry("project", "project"),
                    entry("projects", "project"),
                    entry("experiment", "experiment"),
                    entry("experiments", "experiment"),
                    entry("bundles", "experiment"),
                    entry("run", "run"),
                    entry("runs", "run"),
                    entry("rerun", "run"),
                    entry("worker", "worker"),
                    entry("workers", "worker"),
                    entry("agents", "worker"),
                    entry("company", "worker"),
                    entry("sees", "worker"),
                    entry("user", "user"),
                    entry("users", "user"),
                    entry("members", "user"),
                    entry("profile", "profile"),
                    entry("profiles", "profile"),
                    entry("measurements", "measurement"),
                    entry("assignments", "assignment"),
                    entry("lease", "assignment"),
                    entry("webhook", "webhook"),
                    entry("webhooks", "webhook"),
                    entry("delivery", "delivery"),
                    entry("deliveries", "delivery"),
                    entry("ping", "delivery"),
                    entry("resend", "delivery"),
                    entry("tokens", "token"),
                    entry("join-tokens", "join-token"));

    private final Random random;
    private final Map<String, List<String>> ids = new HashMap<>();
    private final Set<String> kept = new HashSet<>();

    IdPool(Random random) {
        this.random = random;
    }

    /** Protects a resource that the rest of the round needs: no random change names it. */
    void protect(String id) {
        kept.add(id);
    }

    /** Learns the ids of an answer to an operation. */
    void learn(Operation operation, JsonNode answer) {
        String kind = KINDS.get(lastSegment(operation.path()));
        if (kind != null) {
            add(kind, answer.path("id"));
            answer.path("items")
                    .valueStream()
                    .limit(LEARNED_ITEMS)
                    .forEach(it -> add(kind, it.path("id")));
        }
        learnFields(answer);
        answer.path("items").valueStream().limit(LEARNED_ITEMS).forEach(this::learnFields);
    }

    private void learnFields(JsonNode answer) {
        answer.properties()
                .forEach(field -> {
                    String kind = KINDS.get(field.getKey());
                    if (kind != null) {
                        add(kind, field.getValue());
                    }
                });
    }

    private void add(String kind, JsonNode value) {
        String id = value.isString() ? value.stringValue() : "";
        List<String> known = ids.computeIfAbsent(kind, _ -> new ArrayList<>());
        if (ID.matcher(id).matches() && !known.contains(id)) {
            if (known.size() == KEPT) {
                known.removeFirst();
            }
            known.add(id);
        }
    }

    /**
     * Returns an id for a field or a parameter: mostly one of a resource of its kind, otherwise a
     * random one.
     */
    String any(String name) {
        return known(KINDS.getOrDefault(name, name), false).orElseGet(this::unknown);
    }

    /** Returns such an id for a placeholder of a path. */
    String any(Operation operation, String placeholder) {
        String before = operation.path().substring(0, operation.path().indexOf("/{" + placeholder));
        String kind = KINDS.getOrDefault(lastSegment(before), "");
        return known(kind, operation.changes()).orElseGet(this::unknown);
    }

    private Optional<String> known(String kind, boolean changes) {
        List<String> fitting =
                ids.getOrDefault(kind, List.of()).stream()
                        .filter(it -> !changes || !kept.contains(it))
                        .toList();
        return fitting.isEmpty() || random.nextInt(10) == 0
                ? Optional.empty()
                : Optional.of(fitting.get(random.nextInt(fitting.size())));
    }

    private String unknown() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private static String lastSegment(String path) {
        String fixed = PLACEHOLDER.matcher(path).replaceAll("");
        return fixed.substring(fixed.lastIndexOf('/') + 1);
    }
}
