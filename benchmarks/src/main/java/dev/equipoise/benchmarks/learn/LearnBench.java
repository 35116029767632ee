package dev.equipoise.benchmarks.learn;

import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.agent.time.Time;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.agent.training.TrainingAssignmentRunner;
import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.TestScore;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code ./equipoise bench learn}. */
@Command(
        name = "learn",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Trains presets on published data, one replica each, and checks the results:"
                        + " mnist-cnn 99 %% in 10 epochs, cifar-quick 60 %% in 20 epochs on 20,000"
                        + " images, feed-forward-lm a lower perplexity than a Kneser-Ney bigram."
                        + " Takes minutes each; exits with 1 if a bound is missed.")
public final class LearnBench implements Callable<Integer> {

    private static final double DIGITS = 0.99;
    private static final double IMAGES = 0.60;
    private static final List<String> TASKS =
            Arrays.stream(LearningTask.values()).map(LearningTask::label).toList();

    @Option(
            names = "--task",
            paramLabel = "N",
            split = ",",
            description = "Tasks, of mnist-cnn, cifar-quick, feed-forward-lm (default: all).")
    private List<String> tasks = TASKS;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of weights and sample order (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Spec private @Nullable CommandSpec spec;

    private final Time time = new SystemTime();
    private final DatasetRegistry datasets =
            new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv()));

    @Override
    public Integer call() throws InterruptedException {
        List<LearningTask> chosen = tasks.stream().map(this::task).toList();
        boolean reached = true;
        for (LearningTask task : chosen) {
            reached &= learn(task);
        }
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private LearningTask task(String label) {
        Arguments.requireOneOf(spec, "--task", label, TASKS);
        return LearningTask.named(label).orElseThrow();
    }

    private boolean learn(LearningTask task) throws InterruptedException {
        System.out.printf(
                Locale.ROOT,
                "%s: %,d parameters, %,d training samples, mini-batch %d, seed %d%n",
                task.label(),
                task.network().parameterCount(),
                task.dataset().limit(),
                task.batch(),
                seed);
        List<TestScore> epochs = train(task);
        return switch (task) {
            case MNIST_CNN -> isAtLeast(DIGITS, epochs);
            case CIFAR_QUICK -> isAtLeast(IMAGES, epochs);
            case FEED_FORWARD_LM -> beatsBigram(task, epochs);
        };
    }

    private List<TestScore> train(LearningTask task) throws InterruptedException {
        List<TestScore> epochs = new ArrayList<>();
        TrainingAssignmentRunner training =
                new TrainingAssignmentRunner(
                        datasets,
                        _ -> MemoryChannel.join(1).getFirst(),
                        new Throttle(1, 1, time),
                        time,
                        Backends.load(),
                        DivergedWeightsStore.fromEnvironment(System.getenv()));
        training.run(
                assignment(task), event -> print(event, epochs), new RunNotes(0, _ -> {}), null);
        return epochs;
    }

    private Assignment.Training assignment(LearningTask task) {
        return new Assignment.Training(
                AssignmentId.of(UUID.randomUUID()),
                1,
                RunId.of(UUID.randomUUID()),
                0,
                List.of(WorkerId.of(UUID.randomUUID())),
                "",
                task.plan(seed));
    }

    private static void print(AgentEvent event, List<TestScore> epochs) {
        if (event instanceof EpochFinished finished && finished.test() != null) {
            epochs.add(finished.test());
            System.out.printf(
                    Locale.ROOT,
                    "  epoch %2d  %.1f s  training loss %.4f  test loss %.4f (perplexity %.1f)"
                            + "  accuracy %.4f%n",
                    finished.epoch(),
                    finished.wallSeconds(),
                    finished.meanLoss(),
                    finished.test().loss(),
                    Math.exp(finished.test().loss()),
                    finished.test().accuracy());
        }
    }

    private static boolean isAtLeast(double bound, List<TestScore> epochs) {
        double accuracy = epochs.stream().mapToDouble(TestScore::accuracy).max().orElse(0);
        return verdict(
                accuracy >= bound,
                String.format(Locale.ROOT, "accuracy %.4f, wanted at least %.2f", accuracy, bound));
    }

    private boolean beatsBigram(LearningTask task, List<TestScore> epochs) {
        DatasetSplit split = datasets.load(task.dataset(), task.dataset().limit());
        double bigram = Bigram.of(split.training()).perplexity(split.test());
        double network =
                Math.exp(
                        epochs.stream()
                                .mapToDouble(TestScore::loss)
                                .min()
                                .orElse(Double.MAX_VALUE));
        return verdict(
                network < bigram,
                String.format(
                        Locale.ROOT, "perplexity %.1f, Kneser-Ney bigram %.1f", network, bigram));
    }

    private static boolean verdict(boolean reached, String figures) {
        System.out.printf("  %s: %s%n", reached ? "reached" : "MISSED", figures);
        return reached;
    }
}
