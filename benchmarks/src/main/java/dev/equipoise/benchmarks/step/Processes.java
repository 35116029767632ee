package dev.equipoise.benchmarks.step;

import dev.equipoise.benchmarks.BenchFailed;
import dev.equipoise.benchmarks.JsonLines;
import dev.equipoise.benchmarks.Subprocess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the measuring processes and reads their lines. */
final class Processes {

    static final String TORCH = "torch_step.py";

    private static final Path PYTHON = Path.of(".peers", "venv", "bin", "python");

    private final int threads;
    private final List<String> options;

    Processes(int threads, int batch, double seconds) {
        this.threads = threads;
        this.options =
                List.of(
                        "--threads",
                        String.valueOf(threads),
                        "--batch",
                        String.valueOf(batch),
                        "--seconds",
                        String.valueOf(seconds));
    }

    /** Returns the Python interpreter with PyTorch, which it sets up if missing. */
    static Path python(Path peers) throws InterruptedException {
        if (!Files.isExecutable(PYTHON)) {
            System.err.println("Setting up PyTorch in .peers; this takes a minute.");
            run(new ProcessBuilder(peers.resolve("setup").toAbsolutePath().toString()));
        }
        return PYTHON.toAbsolutePath();
    }

    Timing ours(String net) throws InterruptedException {
        return measured(Subprocess.command(List.of("-Xmx1g"), List.of("measure-step")), net)
                .getFirst();
    }

    /** Measures PyTorch, with one result per layout. */
    List<Timing> torch(String net, Path python, Path peers) throws InterruptedException {
        return measured(List.of(python.toString(), peers.resolve(TORCH).toString()), net);
    }

    private List<Timing> measured(List<String> program, String net) throws InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("--net", net));
        command.addAll(options);
        var builder = new ProcessBuilder(command);
        builder.environment().put("OMP_NUM_THREADS", String.valueOf(threads));
        return JsonLines.read(run(builder).lines().toList(), Timing.class);
    }

    private static String run(ProcessBuilder builder) throws InterruptedException {
        String name = String.join(" ", builder.command());
        try {
            Path errors = Files.createTempFile("equipoise-bench", ".log");
            try {
                return output(name, builder.redirectError(errors.toFile()).start(), errors);
            } finally {
                Files.deleteIfExists(errors);
            }
        } catch (IOException e) {
            throw new BenchFailed("cannot run %s: %s".formatted(name, e), e);
        }
    }

    /** Returns all output of a process; throws its errors if it fails. */
    private static String output(String name, Process process, Path errors)
            throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new BenchFailed(
                    "%s exited with %d: %s"
                            .formatted(
                                    name, process.exitValue(), Files.readString(errors).strip()));
        }
        return output;
    }
}
