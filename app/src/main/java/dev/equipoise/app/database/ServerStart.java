package dev.equipoise.app.database;

import dev.equipoise.app.file.PrivateFile;
import dev.equipoise.app.problem.Reason;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A start of PostgreSQL, watched from outside: the library that does it waits for ever where the
 * disk fills up while it unpacks the programs, and for a minute where the server has already ended.
 *
 * @param folder holds the programs and the log
 * @param data where there are none, they are made first
 * @param timeout until the server lets us in, and until one that was left on the data has stopped
 */
record ServerStart(Path folder, Path data, ServerPassword password, Duration timeout) {

    private static final Duration GLANCE = Duration.ofSeconds(1);

    /**
     * Waits until the server lets us in.
     *
     * @throws DatabaseUnavailable with the reason if it never will; then it does not run any more
     */
    EmbeddedPostgres await() throws IOException {
        RunningServer.stopOn(data, timeout);
        RunningServer.forgetStranger(data);
        PrivateFile.write(log(), "");
        FutureTask<EmbeddedPostgres> start = new FutureTask<>(library()::start);
        Thread.startVirtualThread(start);
        try {
            return watch(start);
        } catch (ExecutionException failure) {
            throw new DatabaseUnavailable(folder, reason(Reason.innermost(failure)), failure);
        } finally {
            if (start.state() != Future.State.SUCCESS) {
                start.cancel(true);
                RunningServer.stopOn(data, timeout);
            }
        }
    }

    private EmbeddedPostgres.Builder library() {
        ProcessBuilder.Redirect output = ProcessBuilder.Redirect.appendTo(log().toFile());
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(ServerPrograms.in(folder).folder().toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setOutputRedirector(output)
                .setErrorRedirector(output)
                // These go to initdb, after an option that says trust; the last one counts.
                .setLocaleConfig("auth", AccessRules.METHOD)
                .setLocaleConfig("pwfile", password.file().toString())
                .setConnectConfig("password", password.text())
                // The library turns these off for tests; what was accepted must survive a crash.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                // Stopped with the context, after those who use it.
                .setRegisterShutdownHook(false)
                .setPGStartupWait(timeout);
    }

    private EmbeddedPostgres watch(Future<EmbeddedPostgres> start)
            throws IOException, ExecutionException {
        for (Duration waited = Duration.ZERO;
                waited.compareTo(timeout) < 0;
                waited = waited.plus(GLANCE)) {
            try {
                return start.get(GLANCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                requireHope();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new DatabaseUnavailable(folder, "the start was interrupted", interrupted);
            }
        }
        throw new DatabaseUnavailable(
                folder,
                "it took more than %d s; equipoise.database.start-timeout allows more"
                        .formatted(timeout.toSeconds()));
    }

    private void requireHope() throws IOException {
        if (DiskRoom.of(folder).isNone()) {
            throw new DatabaseUnavailable(folder, "its disk is full");
        }
        if (ServerLog.read(log()).saysThatItEnded()) {
            throw new DatabaseUnavailable(folder, reason("the server ended"));
        }
    }

    /** A failed initdb clears up after itself, so that the disk alone does not tell. */
    private String reason(String otherwise) throws IOException {
        Optional<String> lack = DiskRoom.of(folder).lackForKnownData();
        return lack.isPresent() ? lack.get() : ServerLog.read(log()).lastReason().orElse(otherwise);
    }

    private Path log() {
        return folder.resolve("server.log");
    }
}
