package dev.equipoise.app.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.performance.partition.BatchCounts;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What could stand in a definition's place: other ways to agree, over other links, with fewer or
 * more replicas and other shares. What would be refused is never among them.
 *
 * @param definition in which nothing is swept
 * @param free which of its choices may become others
 * @param mostReplicas for which there are workers
 */
public record Alternatives(ObjectNode definition, Set<Choice> free, int mostReplicas) {

    /** More numbers of replicas than these are not tried. */
    private static final int MOST_SIZES = 8;

    /** Mini-batches a replica and round, on the mean, of counts that are found. */
    static final int COUNTS_A_REPLICA = 4;

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

    /** A choice that a definition may leave to the service. */
    public enum Choice {
        @JsonProperty("synchronization")
        SYNCHRONIZATION("synchronization"),
        @JsonProperty("topology")
        TOPOLOGY("topology"),
        @JsonProperty("workers.replicas")
        REPLICAS("workers.replicas"),
        @JsonProperty("partitioning")
        PARTITIONING("partitioning"),
        @JsonProperty("partitioning.counts")
        COUNTS("partitioning.counts");

        private final String path;

        Choice(String path) {
            this.path = path;
        }

        public String path() {
            return path;
        }
    }

    /**
     * One of them.
     *
     * @param changes what is other than in the definition, by dotted paths
     */
    public record Alternative(RunConfiguration configuration, Map<String, JsonNode> changes) {}

    private static List<JsonNode> all(String... choices) {
        return List.of(choices).stream().map(it -> JSON.readTree(it.replace('\'', '"'))).toList();
    }

    public Alternatives {
        free = Set.copyOf(free);
    }

    /** Each once. */
    public List<Alternative> list() {
        Map<RunConfiguration, Alternative> distinct = new LinkedHashMap<>();
        for (int replicas : sizes()) {
            ObjectNode trimmed = trimmed(replicas);
            for (Map<String, JsonNode> changes : changes(replicas)) {
                Definition.variant(trimmed, changes)
                        .filter(it -> !isBspInDisguise(it))
                        .ifPresent(it -> distinct.putIfAbsent(it, new Alternative(it, changes)));
            }
        }
        return List.copyOf(distinct.values());
    }

    /**
     * One with the batch counts that are best for its replicas, where they are left open; of counts
     * that would be refused, such as too many for the samples, one each.
     *
     * @param speeds of the replicas, in samples a second, as slow as the definition makes them
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
                        BatchCounts.best(speeds, COUNTS_A_REPLICA * speeds.size()).counts()));
        return Definition.variant(
                        trimmed(alternative.configuration().workers().replicas()), changes)
                .map(it -> new Alternative(it, changes))
                .orElse(alternative);
    }

    /** Over an all-reduce, local-sgd that agrees in every round is the other way to write it. */
    private boolean isBspInDisguise(RunConfiguration candidate) {
        return free.contains(Choice.SYNCHRONIZATION)
                && candidate.synchronization() instanceof Synchronization.LocalSgd local
                && local.period() == 1
                && !(candidate.topology() instanceof Topology.Gossip);
    }

    /** All numbers where there are few, else powers of two and the largest. */
    private Set<Integer> sizes() {
        if (!free.contains(Choice.REPLICAS)) {
            return Set.of(definition.at("/workers/replicas").asInt(1));
        }
        if (mostReplicas <= MOST_SIZES) {
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
                    Map<String, JsonNode> each = new LinkedHashMap<>();
                    put(each, Choice.SYNCHRONIZATION, synchronization);
                    put(each, Choice.TOPOLOGY, topology);
                    put(each, Choice.REPLICAS, JSON.valueToTree(replicas));
                    put(each, Choice.PARTITIONING, partitioning);
                    changes.add(each);
                }
            }
        }
        return replicas == 1 ? changes.stream().limit(1).toList() : changes;
    }

    /** Where the definition leaves batch counts open, or shares hidden units, these as well. */
    private List<JsonNode> partitionings(int replicas) {
        List<JsonNode> all = new ArrayList<>(PARTITIONINGS);
        if (free.contains(Choice.COUNTS) && isCountsOpen(definition)) {
            all.add(trimmed(replicas).path("partitioning"));
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

    /** Shares as the definition wants them, in groups of so many members. */
    private JsonNode hybrid(int members) {
        ObjectNode hybrid = JSON.createObjectNode().put("kind", "hybrid");
        if (definition.path("partitioning").has("shares")) {
            hybrid.set("shares", definition.at("/partitioning/shares"));
        }
        return hybrid.put("nodeParallel", members);
    }

    /** Whether batch counts are left to the service. */
    static boolean isCountsOpen(JsonNode definition) {
        return definition.at("/partitioning/counts").asString("").equals("auto");
    }

    /** One mini-batch each, until their speeds are known. */
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

    /** Without what the definition says of ranks that there would not be. */
    private ObjectNode trimmed(int replicas) {
        ObjectNode copy = definition.deepCopy();
        if (isCountsOpen(copy)) {
            Matrix.set(copy, Choice.COUNTS.path(), oneEach(replicas));
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
