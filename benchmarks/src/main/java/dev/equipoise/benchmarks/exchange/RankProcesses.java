package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.BenchFailed;
import dev.equipoise.benchmarks.JsonLines;
import dev.equipoise.benchmarks.Subprocess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs one process per rank and reads the figures of rank 0. */
final class RankProcesses {

    private static final int SHUTDOWN_SECONDS = 30;

    /** Options of the virtual machine; the exports and opened packages are for Hazelcast. */
    private static final List<String> OPTIONS =
            List.of(
                    "-Xmx512m",
                    "-XX:MaxDirectMemorySize=1g",
                    "--add-modules",
                    "java.se",
                    "--add-exports",
                    "java.base/jdk.internal.ref=ALL-UNNAMED",
                    "--add-opens",
                    "java.base/java.lang=ALL-UNNAMED",
                    "--add-opens",
                    "java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-opens",
                    "java.management/sun.management=ALL-UNNAMED",
                    "--add-opens",
                    "jdk.management/com.sun.management.internal=ALL-UNNAMED");

    private RankProcesses() {}

    /**
     * Measures with one process per rank.
     *
     * @param command subcommand and options for every rank
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
            throw new BenchFailed("cannot measure a rank: " + e.getMessage(), e);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** Rejects the figures of a measurement in which a rank failed midway. */
    private static void requireSuccess(List<Process> processes) throws InterruptedException {
        for (int rank = 0; rank < processes.size(); rank++) {
            Process process = processes.get(rank);
            if (!process.waitFor(SHUTDOWN_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailed(
                        "rank %d did not end within %d s".formatted(rank, SHUTDOWN_SECONDS));
            }
            if (process.exitValue() != 0) {
                throw new BenchFailed(
                        "rank %d exited with status %d".formatted(rank, process.exitValue()));
            }
        }
    }

    /** Measures with a peer's script, which starts its own ranks. */
    static List<Figure> peer(Path script, List<String> arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(script.toAbsolutePath().toString()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
            List<Figure> figures = JsonLines.read(output(process).readAllLines(), Figure.class);
            if (process.waitFor() != 0 || figures.isEmpty()) {
                throw new BenchFailed(
                        "%s exited with %d after %d figures"
                                .formatted(script, process.exitValue(), figures.size()));
            }
            return figures;
        } catch (IOException e) {
            throw new BenchFailed("cannot run %s: %s".formatted(script, e.getMessage()), e);
        }
    }

    private static Process start(int rank, int ranks, List<String> command) throws IOException {
        List<String> subcommand = new ArrayList<>(command);
        subcommand.addAll(
                List.of("--rank", String.valueOf(rank), "--ranks", String.valueOf(ranks)));
        return new ProcessBuilder(Subprocess.command(OPTIONS, subcommand))
                .redirectError(Redirect.INHERIT)
                .start();
    }

    private static <T> List<T> measured(List<Process> processes, Class<T> type) throws IOException {
        List<BufferedReader> outputs = processes.stream().map(RankProcesses::output).toList();
        Rendezvous rendezvous = Rendezvous.of(ports(outputs));
        for (Process process : processes) {
            OutputStream input = process.getOutputStream();
            input.write(rendezvous.line().getBytes(StandardCharsets.UTF_8));
            input.flush();
        }
        List<T> figures = JsonLines.read(outputs.getFirst().readAllLines(), type);
        if (figures.isEmpty()) {
            throw new BenchFailed("rank 0 exited without a figure");
        }
        return figures;
    }

    private static BufferedReader output(Process process) {
        return process.inputReader(StandardCharsets.UTF_8);
    }

    /** Waits until each rank has printed the port on which it listens. */
    private static List<Integer> ports(List<BufferedReader> outputs) throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (BufferedReader output : outputs) {
            String line = output.readLine();
            if (line == null) {
                throw new BenchFailed("a rank exited before the rendezvous");
            }
            ports.add(Rendezvous.port(line));
        }
        return ports;
    }
}
