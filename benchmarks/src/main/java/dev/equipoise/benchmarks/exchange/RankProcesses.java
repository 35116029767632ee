package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.Bench;
import dev.equipoise.benchmarks.BenchFailed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/** Runs one process a rank and reads what rank 0 has found. */
final class RankProcesses {

    private static final int KEY_BYTES = 32;
    private static final int SECONDS_TO_END = 30;

    private RankProcesses() {}

    /**
     * Measures.
     *
     * @param command of this program, and its options, for every rank
     * @param type of the figures, each a line of JSON
     */
    static <T> List<T> run(int ranks, List<String> command, Class<T> type)
            throws InterruptedException {
        List<Process> processes = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                processes.add(start(rank, ranks, command));
            }
            List<T> figures = measured(processes, type);
            requireSuccess(processes);
            return figures;
        } catch (IOException e) {
            throw new BenchFailed("a rank could not be measured: " + e.getMessage(), e);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** A rank that fails midway has told some figures before. */
    private static void requireSuccess(List<Process> processes) throws InterruptedException {
        for (int rank = 0; rank < processes.size(); rank++) {
            Process process = processes.get(rank);
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                throw new BenchFailed(
                        "rank %d did not end within %d s".formatted(rank, SECONDS_TO_END));
            }
            if (process.exitValue() != 0) {
                throw new BenchFailed(
                        "rank %d ended with status %d".formatted(rank, process.exitValue()));
            }
        }
    }

    /** Measures with a script of the peers, which starts its own ranks. */
    static List<Figure> peer(Path script, List<String> arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(script.toAbsolutePath().toString()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
            List<Figure> figures =
                    figures(process.inputReader(StandardCharsets.UTF_8), Figure.class);
            if (process.waitFor() != 0 || figures.isEmpty()) {
                throw new BenchFailed(
                        "%s ended with %d and %d figures"
                                .formatted(script, process.exitValue(), figures.size()));
            }
            return figures;
        } catch (IOException e) {
            throw new BenchFailed("cannot run %s: %s".formatted(script, e.getMessage()), e);
        }
    }

    private static Process start(int rank, int ranks, List<String> command) throws IOException {
        List<String> line = new ArrayList<>();
        line.add(ProcessHandle.current().info().command().orElse("java"));
        line.addAll(
                List.of(
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:MaxDirectMemorySize=1g",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--add-modules",
                        "jdk.incubator.vector,java.se",
                        "--add-exports",
                        "java.base/jdk.internal.ref=ALL-UNNAMED",
                        "--add-opens",
                        "java.base/java.lang=ALL-UNNAMED",
                        "--add-opens",
                        "java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-opens",
                        "java.management/sun.management=ALL-UNNAMED",
                        "--add-opens",
                        "jdk.management/com.sun.management.internal=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Bench.class.getName()));
        line.addAll(command);
        line.addAll(List.of("--rank", String.valueOf(rank), "--ranks", String.valueOf(ranks)));
        return new ProcessBuilder(line).redirectError(Redirect.INHERIT).start();
    }

    private static <T> List<T> measured(List<Process> processes, Class<T> type) throws IOException {
        List<BufferedReader> outputs =
                processes.stream().map(it -> it.inputReader(StandardCharsets.UTF_8)).toList();
        List<Integer> ports = new ArrayList<>();
        for (BufferedReader output : outputs) {
            String line = output.readLine();
            if (line == null) {
                throw new BenchFailed("a rank has ended before it was met");
            }
            ports.add(Rendezvous.port(line));
        }
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        var rendezvous = new Rendezvous(UUID.randomUUID(), HexFormat.of().formatHex(key), ports);
        for (Process process : processes) {
            OutputStream input = process.getOutputStream();
            input.write(rendezvous.line().getBytes(StandardCharsets.UTF_8));
            input.flush();
        }
        List<T> figures = figures(outputs.getFirst(), type);
        if (figures.isEmpty()) {
            throw new BenchFailed("rank 0 has ended without a figure");
        }
        return figures;
    }

    private static <T> List<T> figures(BufferedReader output, Class<T> type) throws IOException {
        var json = JsonMapper.builder().build();
        List<T> figures = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("{")) {
                figures.add(json.readValue(line, type));
            }
        }
        return figures;
    }
}
