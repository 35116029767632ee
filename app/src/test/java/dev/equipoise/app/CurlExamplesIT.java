package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Runs the curl examples of the pages unchanged: every fenced {@code sh} block that calls curl, or
 * {@code api} as blocks define it, at {@code $URL}. A call must return the status of the comment
 * before it, such as {@code # answers 404}, and otherwise one below 300. {@code PagesTest} requires
 * a test for all other commands.
 */
@RunningService
class CurlExamplesIT {

    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
    private static final Pattern CALLS_API =
            Pattern.compile("(?s)(?=.*\\b(?:curl|api) )(?=.*\\$URL).*");
    private static final Pattern CALL =
            Pattern.compile(
                    "(?m)(?:^\\s*# answers ([1-5][0-9]{2})\\b.*\\n)?^(?!api\\(\\))[^#\\n]*?(?<![^\\s(|])(?:curl|api) ");
    private static final Pattern STATUS = Pattern.compile("(?m)^status ([0-9]{3})$");

    /** Writes each status without progress messages. */
    private static final String CURL =
            """
            set -euo pipefail
            command -v uuidgen > /dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }
            curl() { command curl --silent --show-error "$@" --write-out '%{stderr}\\nstatus %{http_code}\\n'; }
            api() { curl -H "Authorization: Bearer $ADMIN_TOKEN" "$@"; }
            """;

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: example
            dataset: {name: mnist, limit: 3000}
            network: {preset: mnist-cnn}
            training: {epochs: 2, batchSize: 10}
            workers: {replicas: 2}
            """;

    private final TestingLab lab;
    private final int port;

    CurlExamplesIT(@Autowired TestingLab lab, @LocalServerPort int port) {
        this.lab = lab;
        this.port = port;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** A block of a page. */
    record Example(String page, int number, String script) {

        /**
         * Returns the expected statuses of the calls, in their order; 0 stands for any status below
         * 300.
         */
        List<Integer> expectedStatuses() {
            return CALL.matcher(script)
                    .results()
                    .map(call -> call.group(1) == null ? 0 : Integer.parseInt(call.group(1)))
                    .toList();
        }

        @Override
        public String toString() {
            return "%s, block %d".formatted(page, number);
        }
    }

    static List<Example> examples() throws IOException {
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            pages.filter(it -> it.toString().endsWith(".md")).sorted())
                    .flatMap(CurlExamplesIT::examples)
                    .toList();
        }
    }

    private static Stream<Example> examples(Path page) {
        try {
            List<MatchResult> blocks = BLOCK.matcher(Files.readString(page)).results().toList();
            return Stream.iterate(0, i -> i < blocks.size(), i -> i + 1)
                    .map(i ->
                            new Example(
                                    page.getFileName().toString(), i + 1, blocks.get(i).group(1)))
                    .filter(it -> CALLS_API.matcher(it.script()).matches());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void pagesHaveExamples() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(2);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleReturnsTheDocumentedStatuses(Example example, @TempDir Path folder)
            throws Exception {
        assumeThat(Stream.of("bash", "curl"))
                .as("programs of this machine")
                .allMatch(CurlExamplesIT::isInstalled);
        TestingHistory history = TestingHistory.in(lab);
        Files.writeString(folder.resolve("experiment.yaml"), DEFINITION);
        Path outputFile = folder.resolve("told.txt");
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", CURL + example.script());
        shell.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(outputFile.toFile());
        shell.environment().putAll(variables(history));

        Process process = shell.start();
        boolean hasEnded = process.waitFor(Patience.SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();

        String output = new String(Files.readAllBytes(outputFile), StandardCharsets.UTF_8);
        assertThat(hasEnded).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        List<Integer> statuses =
                STATUS.matcher(output).results().map(it -> Integer.parseInt(it.group(1))).toList();
        assertThat(statuses).as(output).hasSameSizeAs(example.expectedStatuses());
        for (int call = 0; call < statuses.size(); call++) {
            int expected = example.expectedStatuses().get(call);
            if (expected == 0) {
                assertThat(statuses.get(call)).as(output).isBetween(200, 299);
            } else {
                assertThat(statuses.get(call)).as(output).isEqualTo(expected);
            }
        }
    }

    private Map<String, String> variables(TestingHistory history) {
        return Map.ofEntries(
                Map.entry("URL", "http://127.0.0.1:" + port),
                Map.entry("TOKEN", history.project().member().bearer()),
                Map.entry("ADMIN_TOKEN", lab.administrator().bearer()),
                Map.entry("PROJECT", history.project().id()),
                Map.entry("EXPERIMENT", history.experiment()),
                Map.entry("RUN", history.runs().getFirst()),
                Map.entry("OTHER_RUN", history.runs().getLast()),
                Map.entry("WORKER", history.agents().getFirst().id().toString()),
                Map.entry("OTHER_WORKER", history.agents().getLast().id().toString()),
                Map.entry("PROFILE", history.profile()));
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
