package dev.equipoise.launcher.client;

import dev.equipoise.launcher.Pause;
import dev.equipoise.launcher.Progress;
import dev.equipoise.launcher.RetryingReader;
import dev.equipoise.launcher.RunProgress;
import dev.equipoise.launcher.ServiceApi;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Follows runs to their ends. The runs continue when the command is stopped. */
@Command(
        name = "watch",
        description = {
            "Shows the progress of runs on standard error until all have ended, and then the runs.",
            "The status is 0 if all have completed. Ctrl-C ends the command; the runs continue."
        },
        mixinStandardHelpOptions = true)
final class RunWatch implements Callable<Integer> {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    @Mixin private final ClientOptions client = new ClientOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = RunCommands.RUN_LABEL,
            description = RunCommands.RUN_DESCRIPTION)
    private List<String> runs = new ArrayList<>();

    @Override
    public Integer call() {
        return client.call((api, output) -> {
            List<String> ids = new Finder(api).runs(runs);
            Progress progress = progress(output);
            RetryingReader reader = RetryingReader.of(api, progress);
            List<JsonNode> ended = ids.stream().map(id -> follow(id, reader, progress)).toList();
            output.list(RunTables.LIST, ended);
            return ended.stream().allMatch(RunProgress::isCompleted)
                    ? ExitStatus.OK
                    : ExitStatus.FAILED;
        });
    }

    /** Follows a run and returns its last state. */
    private static JsonNode follow(String id, RetryingReader reader, Progress progress) {
        String label = RunTables.name(read(id, reader));
        progress.untilDone(label, () -> state(read(id, reader)));
        return read(id, reader);
    }

    private static Progress.State state(JsonNode run) {
        return run.at("/configuration/execution/kind").asString("real").equals("real")
                ? RunProgress.ofAny(run)
                : RunProgress.ofSimulated(run, Instant.now());
    }

    private static JsonNode read(String id, RetryingReader reader) {
        return reader.read((ServiceApi api) -> api.get("runs/" + id));
    }

    private static Progress progress(Output output) {
        PrintStream shown =
                output.quiet() ? new PrintStream(OutputStream.nullOutputStream()) : System.err;
        return new Progress(shown, Progress.isTerminal(), System::nanoTime, () -> Pause.of(PERIOD));
    }
}
