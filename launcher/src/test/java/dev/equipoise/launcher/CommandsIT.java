package dev.equipoise.launcher;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks the commands in the documentation against the programs. */
class CommandsIT {

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

    /** Commands whose options are those of Maven and of Spring Boot. */
    private static final Set<String> FOREIGN = Set.of("test", "service");

    /** Commands that only group others. */
    private static final Set<String> GROUPS =
            Set.of(
                    "bench",
                    "contexts",
                    "experiments",
                    "join-tokens",
                    "presets",
                    "schema",
                    "projects",
                    "runs",
                    "tokens",
                    "webhooks",
                    "workers");

    @TempDir private Path folder;

    @Test
    void helpListsEveryOptionInTheDocumentation() throws Exception {
        List<Page.Call> calls =
                Page.all().stream()
                        .flatMap(page -> page.calls().stream())
                        .filter(it -> !FOREIGN.contains(it.command()) && !options(it).isEmpty())
                        .toList();
        Map<List<String>, String> helps = new HashMap<>();
        for (Page.Call call : calls) {
            if (!helps.containsKey(command(call))) {
                helps.put(command(call), help(command(call)));
            }
        }

        assertThat(calls).hasSizeGreaterThan(20);
        assertThat(calls)
                .allSatisfy(it ->
                        assertThat(OPTION.matcher(helps.get(command(it))).results())
                                .extracting(MatchResult::group)
                                .containsAll(options(it)));
    }

    private static List<String> options(Page.Call call) {
        return call.words().stream()
                .map(OPTION::matcher)
                .filter(it -> it.lookingAt())
                .map(it -> it.group())
                .toList();
    }

    /** Returns the command with the one below it, such as a benchmark, which has the options. */
    private static List<String> command(Page.Call call) {
        return GROUPS.contains(call.command())
                ? List.of(call.command(), call.words().getFirst())
                : List.of(call.command());
    }

    private static String help(List<String> command) throws Exception {
        List<String> words = new ArrayList<>(command);
        words.add("--help");
        TestingCommand.Ended ended = TestingCommand.script(Map.of(), words.toArray(String[]::new));
        assertThat(ended.status()).as("%s: %s", words, ended.output()).isZero();
        return ended.output();
    }

    /** {@link PlanIT} has a plan for which the command starts a service. */
    @Test
    @ExtendWith(SharedLabs.class)
    void planCommandsOfTheDocumentationRun(StandingLab lab) throws Exception {
        Files.createSymbolicLink(
                folder.resolve("equipoise"), TestingCommand.HOME.resolve("equipoise"));
        Files.writeString(
                folder.resolve("experiment.yaml"),
                """
                apiVersion: equipoise/v1
                name: example
                dataset: {name: mnist, limit: 600}
                network: {preset: mnist-cnn}
                training: {epochs: 1}
                workers: {replicas: 2}
                """);
        Files.writeString(
                folder.resolve("lab.yaml"),
                """
                workers:
                - { name: fast, samplesPerSecond: 2000 }
                - { name: slow, samplesPerSecond: 500 }
                """);

        for (Page.Block block : blocks("docs/planning.md", "./equipoise plan")) {
            TestingCommand.Ended ended = sh(block.script(), lab.environment());

            assertThat(ended.status()).as(ended.output()).isZero();
        }

        JsonNode plans = JsonMapper.shared().readTree(folder.resolve("plan.json").toFile());
        assertThat(plans.at("/0/ranking/0/epochSeconds").asDouble()).isPositive();
    }

    @Test
    void containerSecretsAreCreatedOnceAndReadableByTheirOwnerOnly() throws Exception {
        Path script = Files.createDirectories(folder.resolve("containers")).resolve("secrets.sh");
        Files.copy(TestingCommand.HOME.resolve("containers/secrets.sh"), script);
        Path secrets = script.resolveSibling("secrets");

        assertThat(sh("sh containers/secrets.sh", Map.of()).status()).isZero();
        Map<String, String> made = texts(secrets);
        assertThat(sh("sh containers/secrets.sh", Map.of()).output()).contains("is left unchanged");

        assertThat(made).containsOnlyKeys("administrator-token", "database-password", "join-token");
        assertThat(made.get("administrator-token")).matches("eqp_[A-Za-z0-9_-]{43}\n");
        assertThat(made.get("database-password")).matches("[A-Za-z0-9_-]{43}\n");
        assertThat(made.get("join-token")).matches("eqj_[A-Za-z0-9_-]{43}\n");
        assertThat(texts(secrets)).isEqualTo(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secrets)))
                .isEqualTo("rwx------");
    }

    private static Map<String, String> texts(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.collect(toMap(it -> it.getFileName().toString(), TestingTree::text));
        }
    }

    private static List<Page.Block> blocks(String page, String command) throws Exception {
        List<Page.Block> blocks =
                Page.all().stream()
                        .filter(it -> it.name().equals(page))
                        .flatMap(it -> it.blocks().stream())
                        .filter(it -> it.script().contains(command))
                        .toList();
        assertThat(blocks).isNotEmpty();
        return blocks;
    }

    private TestingCommand.Ended sh(String script, Map<String, String> environment)
            throws Exception {
        return TestingCommand.run(
                List.of("sh", "-euc", "cd \"$1\" && " + script, "sh", folder.toString()),
                environment);
    }
}
