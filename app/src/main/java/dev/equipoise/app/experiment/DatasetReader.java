package dev.equipoise.app.experiment;

import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.DatasetSpec.Brown;
import dev.equipoise.protocol.dataset.DatasetSpec.Brown.View;
import dev.equipoise.protocol.dataset.DatasetSpec.Csv;
import dev.equipoise.protocol.dataset.DatasetSpec.Idx;
import dev.equipoise.protocol.dataset.DatasetSpec.Synthetic;
import dev.equipoise.protocol.dataset.Normalisation;
import dev.equipoise.protocol.dataset.Normalisation.Standardise;
import dev.equipoise.protocol.dataset.PublishedDatasets;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the part of a definition that chooses the data. */
final class DatasetReader {

    private static final List<String> NAMES =
            List.of(
                    "brown",
                    "cifar-10",
                    "cifar-100",
                    "csv",
                    "fashion-mnist",
                    "idx",
                    "mnist",
                    "nettalk",
                    "optdigits",
                    "synthetic");

    private static final int LONGEST_VECTOR = Csv.MOST_FEATURES;
    private static final int SIDES_OF_AN_IMAGE = 3;

    private final Fields fields;

    private DatasetReader(Fields fields) {
        this.fields = fields;
    }

    /** The choice; it is worth something only if no violation was added. */
    static DatasetSpec read(Fields fields) {
        return new DatasetReader(fields).read();
    }

    private DatasetSpec read() {
        String name = fields.oneOf("name", null, NAMES);
        DatasetSpec spec =
                switch (name) {
                    case "mnist" -> images(PublishedDatasets.MNIST, 1, DatasetSpec.Mnist::new);
                    case "fashion-mnist" ->
                            images(
                                    PublishedDatasets.FASHION_MNIST,
                                    1,
                                    DatasetSpec.FashionMnist::new);
                    case "cifar-10" ->
                            images(PublishedDatasets.CIFAR_10, 3, DatasetSpec.Cifar10::new);
                    case "cifar-100" ->
                            images(PublishedDatasets.CIFAR_100, 3, DatasetSpec.Cifar100::new);
                    case "optdigits" ->
                            images(PublishedDatasets.OPTDIGITS, 1, DatasetSpec.Optdigits::new);
                    case "nettalk" ->
                            new DatasetSpec.Nettalk(
                                    limit(PublishedDatasets.NETTALK.trainingSamples()));
                    case "brown" -> brown();
                    case "idx" -> idx();
                    case "csv" -> csv();
                    case "synthetic" -> synthetic();
                    default -> unknown();
                };
        if (!name.isEmpty()) {
            fields.end();
        }
        return spec;
    }

    /** Nobody knows which fields the set would have. */
    private DatasetSpec unknown() {
        fields.integer("limit", 1, 1, Integer.MAX_VALUE);
        return new Synthetic(List.of(1), 2, 1, 1, 1);
    }

    private int limit(int all) {
        return fields.integer("limit", all, 1, all);
    }

    private DatasetSpec images(
            DatasetDescription description,
            int channels,
            BiFunction<Normalisation, Integer, DatasetSpec> spec) {
        return spec.apply(
                normalisation(channels, description.standardisation()),
                limit(description.trainingSamples()));
    }

    private DatasetSpec brown() {
        View view =
                fields.oneOf("view", "windows", List.of("windows", "sequences")).equals("sequences")
                        ? View.SEQUENCES
                        : View.WINDOWS;
        int vocabulary =
                fields.integer(
                        "vocabulary",
                        Brown.VOCABULARY,
                        Brown.LEAST_VOCABULARY,
                        Brown.MOST_VOCABULARY);
        int usual = view == View.WINDOWS ? Brown.WINDOW : Brown.SEQUENCE;
        int length = fields.integer("length", usual, 1, Brown.LONGEST);
        return new Brown(view, vocabulary, length, limit(Brown.trainingSamples(view, length)));
    }

    private DatasetSpec idx() {
        String folder = folder();
        int height = fields.integer("height", null, 1, DatasetSpec.LONGEST_SIDE);
        int width = fields.integer("width", null, 1, DatasetSpec.LONGEST_SIDE);
        int classes = fields.integer("classes", null, 2, Idx.MOST_LABELS);
        int samples = samples(null, (long) height * width);
        return new Idx(
                folder, height, width, classes, samples, normalisation(1, null), limit(samples));
    }

    private DatasetSpec csv() {
        String folder = folder();
        int features = fields.integer("features", null, 1, Csv.MOST_FEATURES);
        int classes = fields.integer("classes", null, 2, DatasetSpec.MOST_CLASSES);
        int samples = samples(null, features);
        return new Csv(
                folder, features, classes, samples, normalisation(features, null), limit(samples));
    }

    private DatasetSpec synthetic() {
        List<Integer> shape = shape();
        long size = shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
        int classes =
                fields.integer(
                        "classes", Synthetic.CLASSES, 2, most(DatasetSpec.MOST_CLASSES, size));
        int samples = samples(Synthetic.SAMPLES, size);
        return new Synthetic(shape, classes, samples, fields.wide("seed", 1), limit(samples));
    }

    /** Three sides of an image, or the length of a vector, which may be called features. */
    private List<Integer> shape() {
        if (fields.has("features") && !fields.has("shape")) {
            return List.of(fields.integer("features", null, 1, LONGEST_VECTOR));
        }
        List<Double> sides =
                fields.numbers("shape", null, List.of(1, SIDES_OF_AN_IMAGE), 1, LONGEST_VECTOR);
        double size = sides.stream().reduce(1.0, (a, b) -> a * b);
        if (sides.stream().anyMatch(side -> side != Math.rint(side))
                || size > DatasetSpec.MOST_NUMBERS / 2) {
            fields.refuse(
                    "shape",
                    "must be whole numbers whose product is at most "
                            + DatasetSpec.MOST_NUMBERS / 2);
            return List.of(1);
        }
        return sides.stream().map(Double::intValue).toList();
    }

    private int samples(@Nullable Integer fallback, long numbersOfASample) {
        return fields.integer(
                "samples", fallback, 1, most(DatasetSpec.MOST_SAMPLES, numbersOfASample));
    }

    /** So many at most, and no more numbers than a data set may have. */
    private static int most(int most, long numbersOfOne) {
        return Math.clamp(DatasetSpec.MOST_NUMBERS / numbersOfOne, 1, most);
    }

    private String folder() {
        String folder = fields.text("folder", null);
        if (!folder.isEmpty() && !folder.matches(DatasetSpec.FOLDER)) {
            fields.refuse("folder", "must be the plain name of a folder, " + DatasetSpec.FOLDER);
        }
        return folder.matches(DatasetSpec.FOLDER) ? folder : "none";
    }

    private Normalisation normalisation(int channels, @Nullable Standardise usual) {
        Fields choice = fields.choice("normalisation");
        String kind = choice.oneOf("kind", "unit", List.of("unit", "standardise"));
        Normalisation normalisation =
                kind.equals("standardise")
                        ? standardise(choice, channels, usual)
                        : new Normalisation.Unit();
        choice.end();
        return normalisation;
    }

    private static Normalisation standardise(
            Fields choice, int channels, @Nullable Standardise usual) {
        List<Double> mean =
                choice.numbers(
                        "mean",
                        usual(usual, Standardise::mean),
                        List.of(1, channels),
                        -Standardise.MOST,
                        Standardise.MOST);
        List<Double> deviation =
                choice.numbers(
                        "deviation",
                        usual(usual, Standardise::deviation),
                        List.of(1, channels),
                        Standardise.LEAST_DEVIATION,
                        Standardise.MOST);
        if (mean.size() != deviation.size()) {
            choice.refuse("deviation", "must have as many numbers as mean, " + mean.size());
            return new Normalisation.Unit();
        }
        return new Standardise(mean, deviation);
    }

    private static @Nullable List<Double> usual(
            @Nullable Standardise usual, Function<Standardise, List<Double>> part) {
        return usual == null ? null : part.apply(usual);
    }
}
