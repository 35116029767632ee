package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.field;

import dev.equipoise.launcher.Pause;
import dev.equipoise.launcher.Progress;
import dev.equipoise.launcher.RetryingReader;
import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.UsageError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Prints the log of a run. */
@Command(
        name = "logs",
        description = "Prints the log of a run: states, wait reasons, epochs, failures, notes.",
        mixinStandardHelpOptions = true)
final class RunLogs implements Callable<Integer> {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final ResourceTable LINES =
            ResourceTable.of(
                    field("at", "/at"),
                    field("rank", "/rank"),
                    field("worker", "/worker"),
                    field("text", "/text"));

    @Mixin private final ClientOptions client = new ClientOptions();

    @Option(
            names = {"-f", "--follow"},
            description =
                    "also print new lines until the run has ended; with --output json, each line is"
                            + " one JSON object")
    private boolean follow;

    @Parameters(paramLabel = RunCommands.RUN_LABEL, description = RunCommands.RUN_DESCRIPTION)
    private String run = "";

    @Override
    public Integer call() {
        check();
        return client.call((api, output) -> {
            LogReader log = log(api, new Finder(api).run(run));
            if (follow) {
                log.follow(lineWriter(output), () -> Pause.of(PERIOD));
            } else if (output.format() == OutputFormat.TABLE) {
                log.read(lineWriter(output));
            } else {
                List<JsonNode> lines = new ArrayList<>();
                log.read(lines::add);
                output.list(LINES, lines);
            }
            return ExitStatus.OK;
        });
    }

    private void check() {
        if (follow
                && (client.format() == OutputFormat.YAML || client.format() == OutputFormat.CSV)) {
            throw new UsageError(
                    "--follow writes lines: --output must be table or json, but was "
                            + client.format());
        }
    }

    private static LogReader log(ServiceApi api, String id) {
        Progress progress = new Progress(System.err, false, System::nanoTime, () -> {});
        RetryingReader reader = RetryingReader.of(api, progress);
        return new LogReader(id, reader::read);
    }

    private static Consumer<JsonNode> lineWriter(Output output) {
        return output.format() == OutputFormat.JSON
                ? output::line
                : line -> output.print(text(line) + "\n");
    }

    /** Returns a line as the service writes it: time, source and text. */
    private static String text(JsonNode line) {
        JsonNode rank = line.path("rank");
        String source =
                rank.isNumber()
                        ? "rank %d (%s)".formatted(rank.asInt(), line.path("worker").asString(""))
                        : "service";
        return "%s %s %s"
                .formatted(line.path("at").asString(""), source, line.path("text").asString(""));
    }
}
