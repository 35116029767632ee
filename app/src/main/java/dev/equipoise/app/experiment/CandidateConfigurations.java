package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Automatic;
import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lists valid alternatives to a definition: other synchronization methods, topologies, numbers of
 * replicas and shares.
 *
 * @param definition without a parameter grid
 * @param free the choices that may vary
 * @param mostReplicas the number of available workers
 */
public record CandidateConfigurations(ObjectNode definition, Set<Choice> free, int mostReplicas) {

    /** The maximum number of different numbers of replicas. */
    private static final int MAX_SIZES = 8;

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final List<JsonNode> SYNCHRONIZATIONS =
            all(
                    "{'kind': 'bsp'}",
                    "{'kind': 'local-sgd', 'period': 1}",
                    "{'kind': 'local-sgd', 'period': 4}",
                    "{'kind': 'local-sgd', 'period': 16}",
                    "{'kind': 'diloco', 'period': 16}",
                    "{'kind': 'async'}",
                    "{'kind': 'stale-synchronous', 'bound': 3}",
                    "{'kind': 'ad-psgd'}");

    private static final List<JsonNode> TOPOLOGIES =
            all(
                    "{'kind': 'all-reduce', 'algorithm': 'ring'}",
                    "{'kind': 'all-reduce', 'algorithm': 'tree'}",
                    "{'kind': 'all-reduce', 'algorithm': 'recursive-doubling'}",
                    "{'kind': 'all-reduce', 'algorithm': 'halving-doubling'}",
                    "{'kind': 'parameter-server', 'servers': 1}",
                    "{'kind': 'gossip', 'schedule': 'dissemination'}",
                    "{'kind': 'gossip', 'schedule': 'linear'}",
                    "{'kind': 'gossip', 'schedule': 'random-matching'}");

    private static final List<JsonNode> PARTITIONINGS =
            all("{'kind': 'equal'}", "{'kind': 'functional'}");

    /**
     * An alternative.
     *
     * @param changes the fields that differ from the definition, by dotted paths
     */
    public record Alternative(RunConfiguration configuration, Map<String, JsonNode> changes) {

        /**
         * Returns the configuration as the choice for an open one.
         *
         * @param reason for the choice
         */
        public RunConfiguration chosenFor(RunConfiguration open, String reason) {
            Automatic automatic = open.automatic();
            List<Choice> choices = automatic == null ? List.of() : automatic.choices();
            return configuration.with(new Automatic(choices, null, reason));
        }
    }

    private static List<JsonNode> all(String... choices) {
        return List.of(choices).stream().map(it -> JSON.readTree(it.replace('\'', '"'))).toList();
    }

    public CandidateConfigurations {
        free = Set.copyOf(free);
    }

    /** Returns the alternatives for the open choices of a configuration; empty if it has none. */
    public static Optional<CandidateConfigurations> of(
            RunConfiguration configuration, int mostReplicas) {
        Automatic automatic = configuration.automatic();
        return automatic == null || automatic.definition() == null
                ? Optional.empty()
                : Optional.of(
                        new CandidateConfigurations(
                                automatic.definition(),
                                Set.copyOf(automatic.choices()),
                                mostReplicas));
    }

    /** Returns all valid alternatives without duplicates. */
    public List<Alternative> list() {
        Map<RunConfiguration, Alternative> distinct = new LinkedHashMap<>();
        for (int replicas : sizes()) {
            ObjectNode trimmed = trimmedTo(replicas);
            for (Map<String, JsonNode> changes : changes(replicas)) {
                variant(trimmed, changes)
                        .filter(it -> !isEquivalentToBsp(it))
                        .ifPresent(it -> distinct.putIfAbsent(it, new Alternative(it, changes)));
            }
        }
        return List.copyOf(distinct.values());
    }

    /**
     * Returns an alternative with the batch counts for the speeds of its replicas, by the rule of
     * the definition, if they are open. Invalid counts, such as too many for the samples, become
     * one each.
     *
     * @param speeds of the replicas, in samples per second, with the definition's slowdown
     */
    public Alternative counted(Alternative alternative, List<Double> speeds) {
        if (!free.contains(Choice.COUNTS)
                || !(alternative.configuration().partitioning()
                        instanceof Partitioning.BatchCounts)) {
            return alternative;
        }
        Map<String, JsonNode> changes = new LinkedHashMap<>(alternative.changes());
        changes.put(
                Choice.COUNTS.path(),
                JSON.valueToTree(
                        PartitioningReader.countsFor(definition.path("partitioning"), speeds)));
        return variant(trimmedTo(alternative.configuration().workers().replicas()), changes)
                .map(it -> new Alternative(it, changes))
                .orElse(alternative);
    }

    /**
     * Returns the configuration of a definition without grid after changing some fields.
     *
     * @param values by dotted paths
     * @return empty if the changed definition is invalid
     */
    private static Optional<RunConfiguration> variant(
            ObjectNode definition, Map<String, JsonNode> values) {
        ObjectNode copy = definition.deepCopy();
        values.forEach((path, value) -> ParameterGrid.set(copy, path, value));
        List<Violation> violations = new ArrayList<>();
        RunConfiguration read = AutomaticReader.read(copy, violations);
        return violations.isEmpty() ? Optional.of(read) : Optional.empty();
    }

    /**
     * Tells whether the candidate is local-sgd over an all-reduce with period 1, which equals BSP.
     */
    private boolean isEquivalentToBsp(RunConfiguration candidate) {
        return free.contains(Choice.SYNCHRONIZATION)
                && candidate.synchronization() instanceof Synchronization.LocalSgd local
                && local.period() == 1
                && !(candidate.topology() instanceof Topology.Gossip);
    }

    /**
     * Returns all numbers of replicas if there are few, and otherwise powers of two and the
     * maximum.
     */
    private Set<Integer> sizes() {
        if (!free.contains(Choice.REPLICAS)) {
            return Set.of(definition.at("/workers/replicas").asInt(1));
        }
        if (mostReplicas <= MAX_SIZES) {
            return new TreeSet<>(IntStream.rangeClosed(1, mostReplicas).boxed().toList());
        }
        Set<Integer> sizes = new TreeSet<>(Set.of(mostReplicas));
        for (int size = 1; size < mostReplicas; size *= 2) {
            sizes.add(size);
        }
        return sizes;
    }

    private List<Map<String, JsonNode>> changes(int replicas) {
        List<Map<String, JsonNode>> changes = new ArrayList<>();
        for (JsonNode synchronization : among(Choice.SYNCHRONIZATION, SYNCHRONIZATIONS)) {
            for (JsonNode topology : among(Choice.TOPOLOGY, TOPOLOGIES)) {
                for (JsonNode partitioning : among(Choice.PARTITIONING, partitionings(replicas))) {
                    changes.add(combination(replicas, synchronization, topology, partitioning));
                }
            }
        }
        return replicas == 1 ? changes.stream().limit(1).toList() : changes;
    }

    /** Returns the values of the open choices by their paths. */
    private Map<String, JsonNode> combination(
            int replicas, JsonNode synchronization, JsonNode topology, JsonNode partitioning) {
        Map<String, JsonNode> combination = new LinkedHashMap<>();
        put(combination, Choice.SYNCHRONIZATION, synchronization);
        put(combination, Choice.TOPOLOGY, topology);
        put(combination, Choice.REPLICAS, JSON.valueToTree(replicas));
        put(combination, Choice.PARTITIONING, partitioning);
        return combination;
    }

    /** Also returns open batch counts, or hybrid partitionings, if the definition has them. */
    private List<JsonNode> partitionings(int replicas) {
        List<JsonNode> all = new ArrayList<>(PARTITIONINGS);
        if (free.contains(Choice.COUNTS) && isCountsOpen(definition)) {
            all.add(trimmedTo(replicas).path("partitioning"));
        }
        if (isHybrid()) {
            IntStream.rangeClosed(1, replicas)
                    .filter(members -> replicas % members == 0)
                    .forEach(members -> all.add(hybrid(members)));
        }
        return all;
    }

    private boolean isHybrid() {
        JsonNode partitioning = definition.path("partitioning");
        return partitioning.asString("").equals("hybrid")
                || partitioning.path("kind").asString("").equals("hybrid");
    }

    /** Returns hybrid partitioning with groups of this many members and the definition's shares. */
    private JsonNode hybrid(int members) {
        ObjectNode hybrid = JSON.createObjectNode().put("kind", "hybrid");
        if (definition.path("partitioning").has("shares")) {
            hybrid.set("shares", definition.at("/partitioning/shares"));
        }
        return hybrid.put("nodeParallel", members);
    }

    /** Tells whether the service chooses the batch counts. */
    static boolean isCountsOpen(JsonNode definition) {
        return definition.at("/partitioning/counts").asString("").equals("auto");
    }

    /** Returns one mini-batch for each replica, until their speeds are known. */
    static JsonNode oneEach(int replicas) {
        return JSON.valueToTree(Collections.nCopies(replicas, 1));
    }

    private List<JsonNode> among(Choice choice, List<JsonNode> values) {
        return free.contains(choice) ? values : List.of(JSON.nullNode());
    }

    private void put(Map<String, JsonNode> changes, Choice choice, JsonNode value) {
        if (free.contains(choice)) {
            changes.put(choice.path(), value);
        }
    }

    /** Returns the definition without settings of ranks that would not exist. */
    private ObjectNode trimmedTo(int replicas) {
        ObjectNode copy = definition.deepCopy();
        if (isCountsOpen(copy)) {
            PartitioningReader.setCounts(copy, oneEach(replicas));
        }
        if (!free.contains(Choice.REPLICAS)) {
            return copy;
        }
        if (copy.at("/heterogeneity/slowDown") instanceof ObjectNode slowDown) {
            slowDown.remove(
                    slowDown.propertyNames().stream()
                            .filter(rank -> isRankFrom(rank, replicas))
                            .toList());
        }
        if (copy.at("/heterogeneity/links") instanceof ArrayNode links) {
            links.removeIf(link ->
                    link.path("between").valueStream().anyMatch(it -> it.asInt(0) >= replicas));
        }
        for (String speeds : List.of("/execution/samplesPerSecond", "/execution/speeds")) {
            if (copy.at(speeds) instanceof ArrayNode list) {
                while (list.size() > replicas) {
                    list.remove(list.size() - 1);
                }
            }
        }
        return copy;
    }

    private static boolean isRankFrom(String rank, int least) {
        return rank.matches("[0-9]{1,9}") && Integer.parseInt(rank) >= least;
    }
}
