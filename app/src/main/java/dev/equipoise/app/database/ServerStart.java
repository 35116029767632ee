package dev.equipoise.app.database;

import dev.equipoise.app.file.PrivateFile;
import dev.equipoise.app.problem.ExceptionText;
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
 * Starts PostgreSQL and watches the start from outside: the library waits forever if the disk fills
 * up while it unpacks the programs, and for a minute if the server has already ended.
 *
 * @param folder contains the programs and the log
 * @param data the data folder, which is created if it does not exist
 * @param timeout until the server accepts connections, and until a server that was left on the data
 *     has stopped
 */
record ServerStart(Path folder, Path data, ServerPassword password, Duration timeout) {

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /**
     * Waits until the server accepts connections.
     *
     * @throws DatabaseUnavailable with the reason if it never will; the server is then stopped
     */
    EmbeddedPostgres await() throws IOException {
        RunningServer.stopOn(data, timeout);
        RunningServer.eraseReusedProcessNumber(data);
        PrivateFile.write(log(), "");
        FutureTask<EmbeddedPostgres> start = new FutureTask<>(library()::start);
        Thread.startVirtualThread(start);
        try {
            return watch(start);
        } catch (ExecutionException failure) {
            throw new DatabaseUnavailable(
                    folder, reason(ExceptionText.innermost(failure)), failure);
        } finally {
            stopUnlessStarted(start);
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
                // These go to initdb after an option that says trust; the last one counts.
                .setLocaleConfig("auth", ClientAuthenticationRules.METHOD)
                .setLocaleConfig("pwfile", password.file().toString())
                .setConnectConfig("password", password.text())
                // The library turns these off for tests; accepted data must survive a crash.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                // The server stops with the context, after the beans that use it.
                .setRegisterShutdownHook(false)
                .setPGStartupWait(timeout);
    }

    private EmbeddedPostgres watch(Future<EmbeddedPostgres> start)
            throws IOException, ExecutionException {
        for (Duration waited = Duration.ZERO;
                waited.compareTo(timeout) < 0;
                waited = waited.plus(CHECK_INTERVAL)) {
            try {
                return start.get(CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                requireProgress();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new DatabaseUnavailable(folder, "the start was interrupted", interrupted);
            }
        }
        throw new DatabaseUnavailable(
                folder,
                "it took more than %d s; increase equipoise.database.start-timeout"
                        .formatted(timeout.toSeconds()));
    }

    private void requireProgress() throws IOException {
        if (DiskSpaceCheck.of(folder).isNone()) {
            throw new DatabaseUnavailable(folder, "its disk is full");
        }
        if (ServerLog.read(log()).saysThatItEnded()) {
            throw new DatabaseUnavailable(folder, reason("the server ended"));
        }
    }

    /**
     * Checks the disk again first: a failed initdb removes its files, so that the disk space may be
     * back.
     */
    private String reason(String otherwise) throws IOException {
        Optional<String> lack = DiskSpaceCheck.of(folder).lackForKnownData();
        return lack.isPresent() ? lack.get() : ServerLog.read(log()).lastReason().orElse(otherwise);
    }

    private void stopUnlessStarted(Future<EmbeddedPostgres> start) throws IOException {
        if (start.state() != Future.State.SUCCESS) {
            start.cancel(true);
            RunningServer.stopOn(data, timeout);
        }
    }

    /** Returns the file to which the server and its programs write their messages. */
    Path log() {
        return folder.resolve("server.log");
    }
}
