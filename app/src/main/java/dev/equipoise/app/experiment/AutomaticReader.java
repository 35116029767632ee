package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Automatic;
import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a definition in which {@code auto} leaves choices to the service. Until the service
 * chooses, the configuration has valid values in these places.
 *
 * @param definition with {@code workers: auto} written out
 * @param free the choices
 */
record AutomaticReader(ObjectNode definition, Set<Choice> free) {

    private static final String AUTO = "auto";
    private static final String WORKERS = "workers";
    private static final String REPLICAS = "replicas";

    /** The number of replicas with which a valid combination is searched. */
    private static final int TRIED_REPLICAS = 2;

    /**
     * Reads a definition without a parameter grid, with or without open choices.
     *
     * @return the configuration, which is valid only if no violation was added
     */
    static RunConfiguration read(JsonNode definition, List<Violation> violations) {
        return of(definition)
                .map(automatic -> automatic.read(violations))
                .orElseGet(() -> ConfigurationReader.read(definition, violations));
    }

    /** Returns empty if the definition leaves no choice open. */
    private static Optional<AutomaticReader> of(JsonNode definition) {
        if (!(definition instanceof ObjectNode object)) {
            return Optional.empty();
        }
        Set<Choice> free = EnumSet.noneOf(Choice.class);
        if (isAuto(object.path("synchronization"))) {
            free.add(Choice.SYNCHRONIZATION);
        }
        if (isAuto(object.path("topology"))) {
            free.add(Choice.TOPOLOGY);
        }
        if (CandidateConfigurations.isCountsOpen(object)) {
            free.add(Choice.COUNTS);
        }
        ObjectNode written = object.deepCopy();
        if (isAuto(object.path(WORKERS))) {
            written.putObject(WORKERS).put(REPLICAS, AUTO);
        }
        if (isAuto(written.path(WORKERS).path(REPLICAS))) {
            free.add(Choice.REPLICAS);
        }
        return free.isEmpty() ? Optional.empty() : Optional.of(new AutomaticReader(written, free));
    }

    /**
     * Tells whether the node is the word {@code auto}, or an object with this kind and nothing
     * else.
     */
    private static boolean isAuto(JsonNode node) {
        return node.asString("").equals(AUTO)
                || (node.size() == 1 && node.path("kind").asString("").equals(AUTO));
    }

    private RunConfiguration read(List<Violation> violations) {
        List<Violation> plainViolations = new ArrayList<>();
        RunConfiguration plain = ConfigurationReader.read(withDefaults(), plainViolations);
        RunConfiguration found =
                plainViolations.isEmpty() ? plain : firstAlternative().orElse(null);
        if (found == null) {
            violations.addAll(plainViolations);
            return plain;
        }
        JsonFieldReader root = JsonFieldReader.of(definition, violations);
        // A combination with few replicas leaves out what is given for further ranks.
        ConfigurationReader.environment(
                root, found.topology().servers(), DefinitionLimits.MAX_REPLICAS);
        check(found, root);
        return found.with(new Automatic(List.copyOf(free), definition, null));
    }

    /** Returns the definition with the most common value for each open choice. */
    private JsonNode withDefaults() {
        ObjectNode copy = definition.deepCopy();
        Map.of(
                        Choice.SYNCHRONIZATION,
                        JsonNodeFactory.instance.stringNode("bsp"),
                        Choice.TOPOLOGY,
                        JsonNodeFactory.instance.stringNode("all-reduce"),
                        Choice.REPLICAS,
                        JsonNodeFactory.instance.numberNode(TRIED_REPLICAS),
                        Choice.COUNTS,
                        CandidateConfigurations.oneEach(
                                Math.clamp(
                                        definition.at("/workers/replicas").asInt(TRIED_REPLICAS),
                                        1,
                                        DefinitionLimits.MAX_REPLICAS)))
                .forEach((choice, value) -> {
                    if (free.contains(choice)) {
                        set(copy, choice, value);
                    }
                });
        return copy;
    }

    private static void set(ObjectNode definition, Choice choice, JsonNode value) {
        if (choice == Choice.COUNTS) {
            PartitioningReader.setCounts(definition, value);
        } else {
            ParameterGrid.set(definition, choice.path(), value);
        }
    }

    /** Returns the first valid combination of the open choices. */
    private Optional<RunConfiguration> firstAlternative() {
        return new CandidateConfigurations(definition, free, TRIED_REPLICAS)
                .list().stream()
                        .findFirst()
                        .map(CandidateConfigurations.Alternative::configuration);
    }

    /** Reports settings that cannot be combined with {@code auto}. */
    private void check(RunConfiguration found, JsonFieldReader root) {
        if (found.repeats().isPresent()) {
            root.note("execution", "must not be a replay with an auto setting");
        }
        if (found.topology().followsLinks() || found.compression().followsLinks()) {
            root.note(
                    found.topology().followsLinks() ? "topology/order" : "compression/followLinks",
                    "must not follow links with an auto setting");
        }
        if (found.partitioning() instanceof Partitioning.Hybrid) {
            root.note("partitioning", "must not be hybrid with another auto setting");
        }
        if (found.partitioning() instanceof Partitioning.Functional functional
                && functional.points() == Partitioning.Extent.PARTIAL) {
            root.note("partitioning/points", "must be full with an auto setting");
        }
        if (free.contains(Choice.REPLICAS)) {
            checkReplicas(found, root);
        }
    }

    private static void checkReplicas(RunConfiguration found, JsonFieldReader root) {
        if (!(found.execution() instanceof Execution.Real)) {
            root.note("workers/replicas", "must be a number unless the execution is real");
        }
        if (found.partitioning() instanceof Partitioning.Constant
                || found.partitioning() instanceof Partitioning.BatchCounts) {
            root.note(
                    "workers/replicas",
                    "must be a number with a partitioning that lists a value for each replica");
        }
    }
}
