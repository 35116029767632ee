package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.SHORTEST;
import static dev.equipoise.app.experiment.TestingDefinitions.yaml;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks that the table of docs/methods.md has every combination and that each cell states what
 * happens to its definition. Writes the allowed combinations to a file, with which the agent's
 * tests train.
 */
class MethodsPageTest {

    private static final Path PAGE = Path.of("../docs/methods.md");
    private static final Path ALLOWED = Path.of("../protocol/src/test/allowed-methods.jsonl");
    private static final Path PRESENT = Path.of("target/allowed-methods.jsonl");
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final Pattern LIST = Pattern.compile(", ");
    private static final Pattern REASON = Pattern.compile("- \\*\\*(\\w+)\\*\\* `(.+)` (.+)");

    private static final String BASE =
            SHORTEST.replace("replicas: 3", "replicas: 4")
                    .replace(
                            "epochs: 2",
                            "epochs: 2, optimizer: { kind: sgd, learningRate: 0.05, momentum: 0.5"
                                    + " }");

    private static final Map<String, String> SYNCHRONIZATIONS =
            map(
                    "bsp", "bsp",
                    "local-sgd", "{kind: local-sgd, period: 2}",
                    "diloco", "{kind: diloco, period: 2}",
                    "async", "async",
                    "stale-synchronous", "{kind: stale-synchronous, bound: 2}",
                    "ad-psgd", "ad-psgd");
    private static final List<String> OTHER_SYNCHRONIZATIONS =
            List.of(
                    "{kind: bsp, overlap: true, bucketMegabytes: 0.001}",
                    "{kind: local-sgd, period: 3, order: average-then-step}",
                    "{kind: local-sgd, period: 1}",
                    "{kind: local-sgd, period: 2, momentum: average}",
                    "{kind: local-sgd, period: 2, momentum: reset}",
                    "{kind: async, maxStaleness: 3, weighting: unweighted}",
                    "{kind: async, inFlight: 2}",
                    "{kind: async, correction: inverse}",
                    "{kind: async, correction: {kind: drop-above, staleness: 3}}",
                    "{kind: stale-synchronous, bound: 1, barrier: true, correction: {kind:"
                            + " inverse-power, power: 0.5}}");
    private static final List<String> ALGORITHMS =
            List.of(
                    "ring",
                    "tree",
                    "recursive-doubling",
                    "halving-doubling",
                    "hierarchical",
                    "flat",
                    "auto");
    private static final List<String> PAYLOADS = List.of("gradient", "update", "weights");
    private static final List<String> MIXINGS = List.of("uniform", "metropolis", "push-sum");
    private static final List<String> SCHEDULES =
            List.of("linear", "dissemination", "fixed", "random-matching");
    private static final List<String> OTHER_TOPOLOGIES =
            List.of(
                    "{kind: parameter-server, servers: 3}",
                    "{kind: parameter-server, servers: 2, perLayer: true}",
                    "{kind: parameter-server, aggregate: sum}",
                    "{kind: gossip, schedule: {kind: linear, literalPairing: true}}",
                    "{kind: gossip, schedule: {kind: fixed, distance: 3}}",
                    "{kind: gossip, schedule: fixed, globalAverageEvery: 2}",
                    "{kind: gossip, payload: update, globalAverageEvery: 2}");
    private static final Map<String, String> COMPRESSIONS =
            map(
                    "none", "none",
                    "threshold", "{kind: threshold, threshold: 0.001}",
                    "adaptive-threshold", "{kind: adaptive-threshold, fraction: 0.1}",
                    "top-k", "{kind: top-k, fraction: 0.1}",
                    "random-k", "{kind: random-k, fraction: 0.25}",
                    "qsgd", "{kind: qsgd, bucket: 32}",
                    "sign", "{kind: sign}",
                    "power-sgd", "{kind: power-sgd, rank: 2}");

    private static Map<String, String> map(String... namesAndValues) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            map.put(namesAndValues[at], namesAndValues[at + 1]);
        }
        return map;
    }

    /** A combination, by the names in the table. */
    private record Combination(String synchronization, String topology, String compression) {

        String definition() {
            return MethodsPageTest.definition(
                    String.valueOf(SYNCHRONIZATIONS.get(synchronization)),
                    MethodsPageTest.topology(topology),
                    codec(topology, compression));
        }
    }

    private static String definition(String synchronization, String topology, String compression) {
        return BASE
                + "synchronization: %s\ntopology: %s\ncompression: %s\n"
                        .formatted(synchronization, topology, compression);
    }

    /** Weights need a codec without error feedback. */
    private static String codec(String topology, String compression) {
        String codec = String.valueOf(COMPRESSIONS.get(compression));
        boolean ofWeights = topology.contains("weights");
        return ofWeights && codec.startsWith("{") && !compression.equals("power-sgd")
                ? codec.replace("}", ", errorFeedback: false}")
                : codec;
    }

    /** Converts a name of the form "kind: algorithm" or "kind: payload; mixing; schedule". */
    private static String topology(String name) {
        List<String> parts = List.of(name.split("[:;] "));
        return switch (parts.getFirst()) {
            case "all-reduce" -> "{kind: all-reduce, algorithm: %s}".formatted(parts.get(1));
            case "gossip" ->
                    "{kind: gossip, payload: %s, mixing: %s, schedule: %s}"
                            .formatted(parts.get(1), parts.get(2), parts.get(3));
            default -> name;
        };
    }

    private static List<String> topologies() {
        List<String> all = new ArrayList<>();
        ALGORITHMS.forEach(it -> all.add("all-reduce: " + it));
        all.add("parameter-server");
        for (String payload : PAYLOADS) {
            for (String mixing : MIXINGS) {
                SCHEDULES.forEach(
                        it -> all.add("gossip: %s; %s; %s".formatted(payload, mixing, it)));
            }
        }
        return all;
    }

    private static Stream<Combination> combinations() {
        return SYNCHRONIZATIONS.keySet().stream()
                .flatMap(synchronization ->
                        topologies().stream()
                                .flatMap(topology ->
                                        COMPRESSIONS.keySet().stream()
                                                .map(compression ->
                                                        new Combination(
                                                                synchronization,
                                                                topology,
                                                                compression))));
    }

    /** Returns "yes" or the letter of the reason for each combination. */
    private static Map<Combination, String> table() throws IOException {
        List<List<String>> rows =
                Files.readAllLines(PAGE).stream()
                        .dropWhile(line -> !line.startsWith("| synchronization | topology |"))
                        .takeWhile(line -> line.startsWith("|"))
                        .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
                        .toList();
        List<String> head = rows.getFirst();
        Map<Combination, String> cells = new LinkedHashMap<>();
        for (List<String> row : rows.subList(2, rows.size())) {
            assertThat(row).hasSameSizeAs(head);
            for (String synchronization : split(row.get(0))) {
                for (String topology : expanded(row.get(1))) {
                    for (int column = 2; column < head.size(); column++) {
                        for (String compression : split(head.get(column))) {
                            var one = new Combination(synchronization, topology, compression);
                            assertThat(cells.put(one, row.get(column))).as("%s", one).isNull();
                        }
                    }
                }
            }
        }
        return cells;
    }

    private static List<String> expanded(String topologies) {
        List<String> parts = List.of(topologies.split("[:;] "));
        return switch (parts.getFirst()) {
            case "all-reduce" ->
                    either(parts.get(1), ALGORITHMS).map(it -> "all-reduce: " + it).toList();
            case "gossip" ->
                    either(parts.get(1), PAYLOADS)
                            .flatMap(payload ->
                                    either(parts.get(2), MIXINGS)
                                            .flatMap(mixing ->
                                                    either(parts.get(3), SCHEDULES)
                                                            .map(it ->
                                                                    "gossip: %s; %s; %s"
                                                                            .formatted(
                                                                                    payload, mixing,
                                                                                    it))))
                            .toList();
            default -> List.of(topologies);
        };
    }

    private static Stream<String> either(String some, List<String> all) {
        return some.equals("any") ? all.stream() : split(some).stream();
    }

    private static List<String> split(String list) {
        return LIST.splitAsStream(list).toList();
    }

    private static Map<String, String> reasons() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .map(REASON::matcher)
                .filter(Matcher::matches)
                .collect(toMap(it -> it.group(1), it -> it.group(2) + " " + it.group(3)));
    }

    /** Returns the broken rules; empty for a valid definition. */
    private static List<String> rules(String definition) {
        try {
            Definition.read(yaml(definition));
            return List.of();
        } catch (Problem problem) {
            return problem.violations().stream().map(it -> it.pointer() + " " + it.rule()).toList();
        }
    }

    @Test
    void tableHasEveryCombinationOnce() throws IOException {
        assertThat(table().keySet()).containsExactlyInAnyOrderElementsOf(combinations().toList());
    }

    @Test
    void everyCellMatchesTheResultOfItsDefinition() throws IOException {
        Map<String, String> reasons = reasons();
        List<String> mismatches = new ArrayList<>();
        table().forEach((combination, cell) -> {
            List<String> rules = rules(combination.definition());
            boolean right =
                    cell.equals("yes")
                            ? rules.isEmpty()
                            : reasons.containsKey(cell) && rules.contains(reasons.get(cell));
            if (!right) {
                mismatches.add("%s says %s, but %s".formatted(combination, cell, rules));
            }
        });

        assertThat(mismatches).isEmpty();
        assertThat(reasons.keySet()).isSubsetOf(Set.copyOf(table().values()));
    }

    /** Each choice has a row that says what a restart restores. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                Synchronization.class,
                Topology.class,
                Compression.class,
                Partitioning.class
            })
    void everyChoiceSaysWhatARestartRestores(Class<?> choice) throws IOException {
        String rows =
                Files.readAllLines(PAGE).stream()
                        .dropWhile(line -> !line.startsWith("| choice | a checkpoint also has |"))
                        .takeWhile(line -> line.startsWith("|"))
                        .map(line -> List.of(line.split(" \\| ")).getFirst())
                        .collect(joining("\n"));

        assertThat(kinds(choice).filter(kind -> !rows.contains("`" + kind + "`")))
                .isSubsetOf("none");
    }

    private static Stream<String> kinds(Class<?> choice) {
        return Stream.of(requireNonNull(choice.getAnnotation(JsonSubTypes.class)).value())
                .map(JsonSubTypes.Type::name);
    }

    /** The agent's AllowedMethodsTest trains each combination. */
    @Test
    void allowedCombinationsMatchTheCommittedFile() throws IOException {
        Set<String> allowed = new LinkedHashSet<>();
        combinations().map(Combination::definition).forEach(it -> add(allowed, it));
        for (String topology : topologies()) {
            for (String synchronization : OTHER_SYNCHRONIZATIONS) {
                for (String compression : List.of("none", "top-k", "random-k")) {
                    add(
                            allowed,
                            definition(
                                    synchronization,
                                    topology(topology),
                                    codec(topology, compression)));
                }
            }
        }
        for (String topology : OTHER_TOPOLOGIES) {
            for (String synchronization : SYNCHRONIZATIONS.values()) {
                for (String codec :
                        List.of(
                                "none",
                                "{kind: top-k, fraction: 0.1}",
                                "sign",
                                "{kind: sign, errorFeedback: false}",
                                "{kind: qsgd, bits: 8}")) {
                    add(allowed, definition(synchronization, topology, codec));
                }
            }
        }
        Files.createDirectories(PRESENT.getParent());
        Files.writeString(PRESENT, allowed.stream().collect(joining("\n", "", "\n")));

        assertThat(PRESENT)
                .as(
                        "the allowed combinations have changed; if intended: cp app/%s %s",
                        PRESENT, ALLOWED.toString().substring("../".length()))
                .hasSameTextualContentAs(ALLOWED);
    }

    private static void add(Set<String> allowed, String definition) {
        if (rules(definition).isEmpty()) {
            RunConfiguration read = TestingDefinitions.read(definition).getFirst();
            allowed.add(JSON.writeValueAsString(read.method()));
        }
    }

    static Stream<String> examples() throws IOException {
        Matcher blocks =
                Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                        .matcher(Files.readString(PAGE));
        return blocks.results().map(it -> it.group(1));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsAValidDefinitionOrPartOfOne(String example) {
        String definition = example.contains("apiVersion") ? example : SHORTEST + example;

        assertThat(rules(definition)).isEmpty();
    }
}
