package dev.equipoise.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * Trains MNIST with equal and with functional shares on three unequal workers and compares both.
 */
@Command(
        name = "demo",
        description =
                "Trains MNIST on three unequal workers, once with equal and once with functional"
                        + " partitioning, and compares the two.",
        mixinStandardHelpOptions = true)
public final class Demo implements Callable<Integer> {

    private static final int ALL_SAMPLES = 60_000;
    private static final String PROJECT = "demo";

    @Mixin private final LabOptions options = new LabOptions();

    @Option(
            names = "--epochs",
            paramLabel = "N",
            description = "epochs of each run",
            defaultValue = "2",
            showDefaultValue = Visibility.ALWAYS)
    private int epochs;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "samples for training",
            defaultValue = "60000",
            showDefaultValue = Visibility.ALWAYS)
    private int limit;

    @Option(
            names = "--keep",
            description = "keep the lab afterwards; print its address and a token")
    private boolean keep;

    @Option(
            names = {"--json", "--summary"},
            paramLabel = "FILE",
            description = "write the result as JSON (default: none)")
    private @Nullable Path summary;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        checkOptions();
        Progress progress = Progress.onStandardOutput();
        try (LocalLab lab = LocalLab.start(options, LocalWorker.UNEQUAL_WORKERS, progress)) {
            lab.profile("mnist-cnn", progress);
            List<String> runs = submit(lab);
            runs.forEach(run -> follow(lab, run, progress));
            report(lab, runs);
            if (keep) {
                Up.keep(lab, System.out);
            }
        }
        return 0;
    }

    private void checkOptions() {
        options.check();
        int workers = LocalWorker.UNEQUAL_WORKERS.size();
        require(epochs >= 1, "--epochs must be at least 1, but was " + epochs);
        require(
                limit >= workers && limit <= ALL_SAMPLES,
                "--limit must be from %d to %d, but was %d".formatted(workers, ALL_SAMPLES, limit));
        OutputFile.check("--json", summary);
    }

    private void require(boolean holds, String rule) {
        if (!holds && spec != null) {
            throw new ParameterException(spec.commandLine(), rule);
        }
    }

    private List<String> submit(LocalLab lab) {
        String path = "projects/%s/experiments".formatted(lab.api().project(PROJECT));
        JsonNode experiment = lab.api().post(path, definition(lab));
        return lab
                .api()
                .post("experiments/%s/runs".formatted(experiment.path("id").asString()), Map.of())
                .path("items")
                .values()
                .stream()
                .map(run -> run.path("id").asString())
                .toList();
    }

    private Map<String, Object> definition(LocalLab lab) {
        return Map.of(
                "apiVersion", "equipoise/v1",
                "name", "mnist-equal-or-functional",
                "dataset", Map.of("name", "mnist", "limit", limit),
                "network", Map.of("preset", "mnist-cnn"),
                "training",
                        Map.of(
                                "epochs",
                                epochs,
                                "batchSize",
                                64,
                                "optimizer",
                                Map.of("kind", "sgd", "learningRate", 0.1)),
                "workers",
                        Map.of(
                                "replicas",
                                LocalWorker.UNEQUAL_WORKERS.size(),
                                "selector",
                                Map.of("lab", lab.id())),
                "synchronization", "bsp",
                "topology", Map.of("kind", "all-reduce", "algorithm", "ring"),
                "channel", "direct",
                "matrix", Map.of("partitioning.kind", List.of("equal", "functional")));
    }

    private static void follow(LocalLab lab, String id, Progress progress) {
        String kind =
                lab.api()
                        .get("runs/" + id)
                        .path("configuration")
                        .path("partitioning")
                        .path("kind")
                        .asString();
        progress.untilDone(
                "training, partitioning " + kind,
                () -> {
                    lab.requireAlive();
                    return RunProgress.of(lab.api().get("runs/" + id));
                });
    }

    private void report(LocalLab lab, List<String> runs) {
        JsonNode comparison =
                lab.api().get("comparisons?runs=" + runs.stream().collect(Collectors.joining(",")));
        DemoResult result = DemoResult.of("mnist", comparison);
        System.out.println();
        System.out.print(
                result.table(limit, epochs, LocalWorker.idealSpeedup(LocalWorker.UNEQUAL_WORKERS)));
        if (summary != null) {
            new OutputFile(summary).writeJson(result);
        }
        if (!result.runs().stream().allMatch(DemoResult.RunResult::replicasIdentical)) {
            throw new LabFailure("the replicas of a run were not bit-identical after an epoch");
        }
    }
}
