package dev.equipoise.launcher;

import dev.equipoise.launcher.interrupt.CtrlC;
import dev.equipoise.launcher.interrupt.InterruptQuestion;
import dev.equipoise.launcher.interrupt.InterruptQuestion.Ending;
import dev.equipoise.launcher.interrupt.NoRuns;
import dev.equipoise.launcher.interrupt.OpenRuns;
import java.io.BufferedReader;
import java.io.Console;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Service that runs already and has its own workers. It outlives the command, and so do the runs: a
 * closed terminal (SIGHUP) and SIGTERM leave them running; Ctrl-C asks.
 */
final class RemoteSite implements Site {

    /** 128 and the number of SIGINT. */
    private static final int INTERRUPTED_STATUS = 130;

    private final ServiceApi api;
    private final @Nullable String project;
    private final AtomicReference<OpenRuns> runs = new AtomicReference<>(new NoRuns());
    private final AtomicReference<Ending> ending = new AtomicReference<>(Ending.LEAVE);
    private final AtomicBoolean closing = new AtomicBoolean();

    /**
     * Connects to a service.
     *
     * @param project the project of the runs, by its name or id; null for the only one
     */
    RemoteSite(Connection connection, @Nullable String project) {
        this.api = connection.api();
        this.project = project;
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
        CtrlC.handle(
                new InterruptQuestion(
                        () -> runs.get().count(), System.err, terminal(), this::exit));
    }

    private static @Nullable BufferedReader terminal() {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(_ ->
                        new BufferedReader(
                                new InputStreamReader(System.in, Charset.defaultCharset())))
                .orElse(null);
    }

    /** Ends the process; the shutdown hook closes this site. */
    private void exit(Ending chosen) {
        ending.set(chosen);
        System.exit(INTERRUPTED_STATUS);
    }

    @Override
    public ServiceApi api() {
        return api;
    }

    @Override
    public String project() {
        return ProjectChoice.of(api, project);
    }

    /** Does nothing: a run that needs more workers waits, and its wait reason says so. */
    @Override
    public void prepare(List<JsonNode> configurations) {}

    @Override
    public void profile(List<JsonNode> configurations) {
        throw new UsageError(
                "--profile applies to workers that this command starts; profile those of a service"
                        + " by POST /api/v1/workers/{id}/profiles");
    }

    @Override
    public void requireAlive() {
        if (closing.get()) {
            throw new LabFailure("the command is stopped");
        }
    }

    @Override
    public boolean outlivesCommand() {
        return true;
    }

    @Override
    public void atEnd(OpenRuns open) {
        runs.set(open);
    }

    @Override
    public void close() {
        if (!closing.getAndSet(true)) {
            if (ending.get() == Ending.CANCEL) {
                runs.get().cancel();
            } else {
                runs.get().leave();
            }
            api.close();
        }
    }
}
