package dev.equipoise.agent.model;

import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.SampleFile;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.protocol.dataset.NumericSpec;
import dev.equipoise.protocol.model.ModelFileInvalid;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Predicts the classes of samples with a trained model. */
@Command(
        name = "predict",
        description = {
            "Predicts the classes of samples with the file of a trained model, and their accuracy"
                    + " if the samples have labels.",
            "FILE holds IDX images, records of CIFAR (*.bin) or CSV rows with or without a class in"
                    + " the last column, each also packed as *.gz. Values are raw, as those of the"
                    + " training data; the model's normalization is applied. Without FILE the"
                    + " model is evaluated on the test set of its own data set."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class PredictCommand implements Callable<Integer> {

    private static final int MAX_TOP = 100;

    /** Most classes that a message lists. */
    private static final int MAX_SHOWN = 10;

    @Spec private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "file of a trained model")
    private Path model = Path.of("");

    @Parameters(index = "1", arity = "0..1", paramLabel = "FILE", description = "samples")
    private @Nullable Path samples;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "IDX file with the labels of IDX images")
    private @Nullable Path labels;

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "number of classes of each prediction, the best first (default: 1)")
    private int top = 1;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            description =
                    "table: the first 20 predictions and the accuracy; json: one object; csv: one"
                            + " row for each prediction (default: table)")
    private PredictionFormat output = PredictionFormat.TABLE;

    /** Samples with the target code of their classes. */
    record Input(Dataset samples, boolean areLabeled, TargetCode targets) {}

    @Override
    public Integer call() {
        require(
                labels == null || samples != null,
                "--labels belong to a FILE of IDX images, but none is given");
        require(
                top >= 1 && top <= MAX_TOP,
                "--top must be from 1 to %d, but was %d".formatted(MAX_TOP, top));
        try (TrainedModelFile file = TrainedModelFile.open(model)) {
            predict(file);
        } catch (ModelFileInvalid e) {
            throw new CommandFailed("%s: %s".formatted(model, e.getMessage()), e);
        } catch (IOException e) {
            throw CommandFailed.of(model, e);
        }
        return CommandLine.ExitCode.OK;
    }

    private void predict(TrainedModelFile file) throws IOException {
        Input input = input(file.description());
        int most = ClassRanking.most(input.targets());
        require(
                top <= most,
                "--top must be at most %d for this model, but was %d".formatted(most, top));
        try (Predictor predictor = Predictor.load(file, input.targets(), Backends.load())) {
            print(file.description(), input, predictor);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("%s: %s".formatted(model, e.getMessage()), e);
        }
    }

    private void print(ModelDescription description, Input input, Predictor predictor) {
        PrintWriter out = commandLine().getOut();
        var classes = new ClassTexts(description.classNames(), top, description.valueName());
        PredictionPrinter printer = output.printer(out, classes);
        var accuracy = new AccuracyCount();
        Consumer<PredictedSample> both = accuracy::add;
        predictor.predict(input.samples(), input.areLabeled(), top, both.andThen(printer::print));
        printer.end(accuracy);
        out.flush();
        if (output == PredictionFormat.CSV) {
            commandLine().getErr().println(accuracy.text());
        }
    }

    private Input input(ModelDescription description) {
        if (samples == null) {
            return testSet(
                    description,
                    new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv())));
        }
        if (!(description.dataset() instanceof NumericSpec numeric)) {
            throw parameter(
                    "the model of data set %s takes no FILE: omit it for the test set"
                            .formatted(description.dataset().name()));
        }
        SampleFile.FileSamples read =
                new SampleFile(numeric, description.network().input(), description.classNames())
                        .read(samples, labels);
        return new Input(read.dataset(), read.areLabeled(), TargetCode.oneHot(numeric.classes()));
    }

    /**
     * Returns the test set of a model's data set.
     *
     * @throws CommandFailed if its classes have other names than those that the model has learned
     */
    static Input testSet(ModelDescription description, DatasetRegistry registry) {
        DatasetSplit split = registry.load(description.dataset(), 1);
        List<String> read = split.classNames();
        List<String> learned = description.classNames();
        if (!read.isEmpty() && !learned.isEmpty() && !read.equals(learned)) {
            throw new CommandFailed(
                    "the test set in %s has the classes %s, but the model has %s"
                            .formatted(split.files().testLabels(), shown(read), shown(learned)));
        }
        return new Input(split.test(), true, split.targets());
    }

    private static String shown(List<String> classes) {
        String first = String.join(", ", classes.subList(0, Math.min(classes.size(), MAX_SHOWN)));
        return classes.size() > MAX_SHOWN ? first + ", ..." : first;
    }

    private void require(boolean condition, String rule) {
        if (!condition) {
            throw parameter(rule);
        }
    }

    private ParameterException parameter(String rule) {
        return new ParameterException(commandLine(), rule);
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("picocli sets the spec before it calls a command");
        }
        return spec.commandLine();
    }
}
