package dev.equipoise.app.database;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The running server of a data folder, which {@code pg_ctl} can start again with the options and
 * the port of its last start. The library could start a server only on another object, which would
 * first have to take the lock of this one. One thread at a time uses it.
 */
final class RestartableServer implements ServerWatch.Server {

    private final Path data;
    private final Path log;
    private final Path control;
    private final Duration timeout;
    private RunningServer running;

    private RestartableServer(
            Path data, Path log, Path control, Duration timeout, RunningServer running) {
        this.data = data;
        this.log = log;
        this.control = control;
        this.timeout = timeout;
        this.running = running;
    }

    /**
     * Returns the server of a start; empty if it has ended already or the system does not tell its
     * program.
     */
    static Optional<RestartableServer> of(ServerStart start) throws IOException {
        return RunningServer.on(start.data())
                .flatMap(running ->
                        running.control()
                                .map(control ->
                                        new RestartableServer(
                                                start.data(),
                                                start.log(),
                                                control,
                                                start.timeout(),
                                                running)));
    }

    @Override
    public boolean isAlive() {
        return running.isAlive();
    }

    @Override
    public void restart() throws IOException {
        RunningServer.eraseReusedProcessNumber(data);
        int known = ServerLog.read(log).lines().size();
        int status = status(command());
        if (status != 0) {
            throw new IOException(
                    ServerLog.read(log)
                            .after(known)
                            .lastReason()
                            .orElse("pg_ctl ended with status " + status));
        }
        running =
                RunningServer.on(data)
                        .orElseThrow(() -> new IOException("the server ended after its start"));
    }

    /** Returns the command; root needs a user namespace, as PostgreSQL rejects it. */
    private List<String> command() {
        List<String> restart =
                List.of(
                        control.toString(),
                        "-D",
                        data.toString(),
                        "-w",
                        "-t",
                        Long.toString(Math.max(1, timeout.toSeconds())),
                        "restart");
        return LinuxUtils.isUnshareAvailable()
                ? Stream.concat(Stream.of("unshare", "-U"), restart.stream()).toList()
                : restart;
    }

    private int status(List<String> command) throws IOException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start()
                    .waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the server started", interrupted);
        }
    }

    @Override
    public String description() {
        return "the embedded PostgreSQL (log: %s)".formatted(log);
    }
}
