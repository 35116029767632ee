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

/** The packaged service with an embedded database, as {@code ./equipoise service} starts it. */
final class ServiceProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int GRACE_SECONDS = 30;
    private static final int OK = 200;
    private static final int GLANCE_MILLIS = 10;

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

    /** A folder of its own for the service of a benchmark. */
    static Path newFolder(String benchmark) {
        try {
            return Files.createTempDirectory("equipoise-bench-" + benchmark);
        } catch (IOException e) {
            throw new BenchFailed("no folder can be made: " + e.getMessage(), e);
        }
    }

    /** Starts it on a folder, which may be new, and waits until it is healthy. */
    static ServiceProcess start(Path home, Path data) throws InterruptedException {
        return new ServiceProcess(home, data, freePort());
    }

    private Duration awaitReady(long begun) throws InterruptedException {
        while (!isHealthy()) {
            if (!process.isAlive()) {
                throw new BenchFailed("the service ended; " + log("service") + " tells why");
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - begun);
            if (waited.compareTo(PATIENCE) > 0) {
                close();
                throw new BenchFailed("the service was not ready within " + PATIENCE);
            }
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private boolean isHealthy() throws InterruptedException {
        return Api.status(address.resolve("/actuator/health")) == OK;
    }

    /** An agent as a process of its own, which is stopped by who asked for it. */
    Process startAgent(String name, String label) throws InterruptedException {
        return start(
                "agent-" + name,
                Map.of("EQUIPOISE_JOIN_TOKEN", api.joinToken(name)),
                "agent",
                "--service=" + address,
                "--name=" + name,
                "--label=" + label);
    }

    private Process start(String log, Map<String, String> secrets, String... arguments) {
        List<String> command = new ArrayList<>(List.of(home.resolve("equipoise").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(secrets);
        builder.environment().put("EQUIPOISE_BUILT", "yes");
        builder.environment().remove("OMP_NUM_THREADS");
        try {
            Files.createDirectories(log(log).getParent());
            return builder.redirectOutput(Redirect.appendTo(log(log).toFile())).start();
        } catch (IOException e) {
            throw new BenchFailed("%s cannot be started: %s".formatted(command, e), e);
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

    /** From the start of the process to the first answer that it is healthy. */
    Duration untilReady() {
        return untilReady;
    }

    Memory memory() {
        return new Memory(process.pid(), data.resolve("postgresql/data/postmaster.pid"));
    }

    /** How often its log tells of workers that it took as lost. */
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
            throw new BenchFailed("the administrator's token cannot be read: " + e, e);
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new BenchFailed("there is no free port: " + e.getMessage(), e);
        }
    }
}
