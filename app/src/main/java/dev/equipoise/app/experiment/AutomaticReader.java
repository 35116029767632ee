package dev.equipoise.app.experiment;

import dev.equipoise.app.experiment.Alternatives.Choice;
import dev.equipoise.app.experiment.RunConfiguration.Automatic;
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
 * Reads a definition that leaves choices to the service: {@code auto} in their place. Something
 * that the definition might say as well stands there until one is made.
 *
 * @param definition with {@code workers: auto} written out
 * @param free the choices
 */
record AutomaticReader(ObjectNode definition, Set<Choice> free) {

    private static final String AUTO = "auto";
    private static final String WORKERS = "workers";
    private static final String REPLICAS = "replicas";

    /** Workers for which something that fits is looked for. */
    private static final int TRIED_REPLICAS = 2;

    /** Empty where it leaves none. */
    static Optional<AutomaticReader> of(JsonNode definition) {
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
        if (Alternatives.isCountsOpen(object)) {
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

    /** The word, or an object that has it for its kind and nothing else. */
    private static boolean isAuto(JsonNode node) {
        return node.asString("").equals(AUTO)
                || (node.size() == 1 && node.path("kind").asString("").equals(AUTO));
    }

    /** Worth something only if no violation was added. */
    RunConfiguration read(List<Violation> violations) {
        List<Violation> ofPlain = new ArrayList<>();
        RunConfiguration plain = ConfigurationReader.readTold(standIn(), ofPlain);
        RunConfiguration found =
                ofPlain.isEmpty()
                        ? plain
                        : new Alternatives(definition, free, TRIED_REPLICAS)
                                .list().stream()
                                        .findFirst()
                                        .map(Alternatives.Alternative::configuration)
                                        .orElse(null);
        if (found == null) {
            violations.addAll(ofPlain);
            return plain;
        }
        check(found, Fields.of(definition, violations));
        return found.with(new Automatic(List.copyOf(free), definition, null));
    }

    /** The most ordinary. */
    private JsonNode standIn() {
        ObjectNode copy = definition.deepCopy();
        Map.of(
                        Choice.SYNCHRONIZATION,
                        JsonNodeFactory.instance.stringNode("bsp"),
                        Choice.TOPOLOGY,
                        JsonNodeFactory.instance.stringNode("all-reduce"),
                        Choice.REPLICAS,
                        JsonNodeFactory.instance.numberNode(TRIED_REPLICAS),
                        Choice.COUNTS,
                        Alternatives.oneEach(
                                Math.clamp(
                                        definition.at("/workers/replicas").asInt(TRIED_REPLICAS),
                                        1,
                                        ConfigurationReader.MOST_REPLICAS)))
                .forEach((choice, value) -> {
                    if (free.contains(choice)) {
                        Matrix.set(copy, choice.path(), value);
                    }
                });
        return copy;
    }

    /** What the service cannot choose for. */
    private void check(RunConfiguration found, Fields root) {
        if (found.repeats().isPresent()) {
            root.note("execution", "must not be a replay where something is auto");
        }
        if (found.topology().followsLinks() || found.compression().followsLinks()) {
            root.note(
                    found.topology().followsLinks() ? "topology/order" : "compression/followLinks",
                    "must not follow links where something is auto");
        }
        if (found.partitioning() instanceof Partitioning.Hybrid) {
            root.note("partitioning", "must not be hybrid where something else is auto");
        }
        if (found.partitioning() instanceof Partitioning.Functional functional
                && functional.points() == Partitioning.Extent.PARTIAL) {
            root.note("partitioning/points", "must be full where something is auto");
        }
        if (free.contains(Choice.REPLICAS)) {
            checkReplicas(found, root);
        }
    }

    private static void checkReplicas(RunConfiguration found, Fields root) {
        if (!(found.execution() instanceof Execution.Real)) {
            root.note("workers/replicas", "must be a number where the execution is not real");
        }
        if (found.partitioning() instanceof Partitioning.Constant
                || found.partitioning() instanceof Partitioning.BatchCounts) {
            root.note(
                    "workers/replicas",
                    "must be a number where the partitioning has one for each replica");
        }
    }
}
