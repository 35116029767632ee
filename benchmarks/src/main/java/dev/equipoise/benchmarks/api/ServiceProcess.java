package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Process of the packaged service with an embedded database, as {@code ./equipoise service} starts
 * it.
 */
final class ServiceProcess implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int GRACE_SECONDS = 30;
    private static final int OK = 200;
    private static final int POLL_MILLIS = 10;

    private final Path home;
    private final Path data;
    private final URI address;
    private final Process process;
    private final Duration untilReady;
    private final Api api;

    private ServiceProcess(Path home, Path data, int port) throws InterruptedException {
        this.home = home;
        this.data = data;
        this.address = URI.create("http://127.0.0.1:" + port);
        Path token = data.resolve("administrator.token");
        long begun = System.nanoTime();
        this.process =
                start(
                        "service",
                        Map.of(),
                        "service",
                        "--server.port=" + port,
                        "--equipoise.data=" + data,
                        "--equipoise.account.administrator-token-file=" + token);
        this.untilReady = awaitReady(begun);
        this.api = new Api(address, read(token));
    }

    /** Creates a new folder for the service of a benchmark. */
    static Path newFolder(String benchmark) {
        try {
            return Files.createTempDirectory("equipoise-bench-" + benchmark);
        } catch (IOException e) {
            throw new BenchFailed("cannot create a folder: " + e.getMessage(), e);
        }
    }

    /** Starts the service on a new or existing folder and waits until it is healthy. */
    static ServiceProcess start(Path home, Path data) throws InterruptedException {
        return new ServiceProcess(home, data, freePort());
    }

    private Duration awaitReady(long begun) throws InterruptedException {
        while (!isHealthy()) {
            if (!process.isAlive()) {
                throw new BenchFailed("the service ended early: see " + log("service"));
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - begun);
            if (waited.compareTo(TIMEOUT) > 0) {
                close();
                throw new BenchFailed(
                        "the service was not ready within %d s: see %s"
                                .formatted(TIMEOUT.toSeconds(), log("service")));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private boolean isHealthy() throws InterruptedException {
        return Api.status(address.resolve("/actuator/health")) == OK;
    }

    /** Starts an agent in its own process, which the caller must stop. */
    Process startAgent(String name, String label) throws InterruptedException {
        return start(
                "agent-" + name,
                Map.of("EQUIPOISE_JOIN_TOKEN", api.joinToken(name)),
                "agent",
                "--service=" + address,
                "--name=" + name,
                "--state=" + data.resolve("agents").resolve(name),
                "--label=" + label);
    }

    private Process start(String log, Map<String, String> secrets, String... arguments) {
        List<String> command = new ArrayList<>(List.of(home.resolve("equipoise").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(secrets);
        builder.environment().put("EQUIPOISE_BUILT", "yes");
        // The state of measured agents does not belong to the user's folders.
        builder.environment().put("XDG_STATE_HOME", data.resolve("state-" + log).toString());
        // The measured process is the service itself, and no script that restarts it.
        builder.environment().put("EQUIPOISE_RESTARTS", "0");
        builder.environment().remove("OMP_NUM_THREADS");
        try {
            Files.createDirectories(log(log).getParent());
            return builder.redirectOutput(Redirect.appendTo(log(log).toFile())).start();
        } catch (IOException e) {
            throw new BenchFailed("cannot start %s: %s".formatted(command, e), e);
        }
    }

    private Path log(String name) {
        return data.resolve("logs").resolve(name + ".log");
    }

    Api api() {
        return api;
    }

    URI address() {
        return address;
    }

    /** Returns the time from the start of the process to the first healthy answer. */
    Duration untilReady() {
        return untilReady;
    }

    Memory memory() {
        return new Memory(process.pid(), data.resolve("postgresql/data/postmaster.pid"));
    }

    /** Returns the number of lost workers in the service's log. */
    long lostWorkers() {
        try (Stream<String> lines = Files.lines(log("service"))) {
            return lines.filter(line -> line.contains("worker lost")).count();
        } catch (IOException e) {
            throw new BenchFailed("cannot read %s: %s".formatted(log("service"), e), e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new BenchFailed(
                        "the service did not stop within %d s".formatted(GRACE_SECONDS));
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String read(Path token) {
        try {
            return Files.readString(token).strip();
        } catch (IOException e) {
            throw new BenchFailed("cannot read the administrator token: " + e, e);
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new BenchFailed("cannot find a free port: " + e.getMessage(), e);
        }
    }
}
