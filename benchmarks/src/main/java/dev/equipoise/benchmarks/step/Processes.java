package dev.equipoise.benchmarks.step;

import dev.equipoise.benchmarks.Bench;
import dev.equipoise.benchmarks.BenchFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Starts the processes that measure, and reads their lines. */
final class Processes {

    static final String TORCH = "torch_step.py";

    private static final Path PYTHON = Path.of(".peers", "venv", "bin", "python");

    private final int threads;
    private final int batch;
    private final double seconds;

    Processes(int threads, int batch, double seconds) {
        this.threads = threads;
        this.batch = batch;
        this.seconds = seconds;
    }

    /** The interpreter that has PyTorch, set up where it is missing. */
    static Path python(Path peers) throws InterruptedException {
        if (!Files.isExecutable(PYTHON)) {
            System.err.println("Setting up PyTorch in .peers; this takes a minute.");
            run(new ProcessBuilder(peers.resolve("setup").toAbsolutePath().toString()));
        }
        return PYTHON.toAbsolutePath();
    }

    Timing ours(String net) throws InterruptedException {
        String java = ProcessHandle.current().info().command().orElse("java");
        return measured(
                        Stream.of(
                                java,
                                "-Xmx1g",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "--add-modules",
                                "jdk.incubator.vector",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Bench.class.getName(),
                                "measure-step"),
                        net)
                .getFirst();
    }

    /** One line for each layout. */
    List<Timing> torch(String net, Path python, Path peers) throws InterruptedException {
        return measured(Stream.of(python.toString(), peers.resolve(TORCH).toString()), net);
    }

    private List<Timing> measured(Stream<String> command, String net) throws InterruptedException {
        Stream<String> options =
                Stream.of(
                        "--net",
                        net,
                        "--threads",
                        String.valueOf(threads),
                        "--batch",
                        String.valueOf(batch),
                        "--seconds",
                        String.valueOf(seconds));
        var builder = new ProcessBuilder(Stream.concat(command, options).toList());
        builder.environment().put("OMP_NUM_THREADS", String.valueOf(threads));
        var json = JsonMapper.builder().build();
        return Arrays.stream(run(builder).split("\n"))
                .filter(line -> line.startsWith("{"))
                .map(line -> json.readValue(line, Timing.class))
                .toList();
    }

    private static String run(ProcessBuilder builder) throws InterruptedException {
        String name = String.join(" ", builder.command());
        try {
            Path errors = Files.createTempFile("equipoise-bench", ".log");
            try {
                Process process = builder.redirectError(errors.toFile()).start();
                String output =
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw new BenchFailed(
                            "%s ended with %d: %s"
                                    .formatted(
                                            name,
                                            process.exitValue(),
                                            Files.readString(errors).strip()));
                }
                return output;
            } finally {
                Files.deleteIfExists(errors);
            }
        } catch (IOException e) {
            throw new BenchFailed("cannot run %s: %s".formatted(name, e), e);
        }
    }
}
