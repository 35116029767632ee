package dev.equipoise.app.experiment;

import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.dataset.CsvHeader;
import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.DatasetSpec.Synthetic;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.OwnSpec.Csv;
import dev.equipoise.protocol.dataset.OwnSpec.Idx;
import dev.equipoise.protocol.dataset.PublishedDatasets;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown.View;
import dev.equipoise.protocol.network.Shape.Image;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the data set of a definition. */
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

    private static final int MAX_VECTOR = Csv.MAX_FEATURES;
    private static final int SIDES_OF_AN_IMAGE = 3;

    private final JsonFieldReader fields;

    /** Creates the specification of published images. */
    @FunctionalInterface
    private interface PublishedImages {
        DatasetSpec of(Normalization normalization, int limit, Augmentation augmentation);
    }

    private DatasetReader(JsonFieldReader fields) {
        this.fields = fields;
    }

    /** Returns the data set, which is valid only if no violation was added. */
    static DatasetSpec read(JsonFieldReader fields) {
        return new DatasetReader(fields).read();
    }

    private DatasetSpec read() {
        String name = fields.oneOf("name", null, NAMES);
        DatasetSpec spec =
                switch (name) {
                    case "mnist" -> images(PublishedDatasets.MNIST, PublishedSpec.Mnist::new);
                    case "fashion-mnist" ->
                            images(
                                    PublishedDatasets.FASHION_MNIST,
                                    PublishedSpec.FashionMnist::new);
                    case "cifar-10" ->
                            images(PublishedDatasets.CIFAR_10, PublishedSpec.Cifar10::new);
                    case "cifar-100" ->
                            images(PublishedDatasets.CIFAR_100, PublishedSpec.Cifar100::new);
                    case "optdigits" ->
                            images(PublishedDatasets.OPTDIGITS, PublishedSpec.Optdigits::new);
                    case "nettalk" -> nettalk();
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

    /** Returns a placeholder for an unknown data set, whose fields are unknown, too. */
    private DatasetSpec unknown() {
        fields.integer("limit", 1, 1, Integer.MAX_VALUE);
        return new Synthetic(List.of(1), 2, 1, 1, 1);
    }

    private int limit(int all) {
        return fields.integer("limit", all, 1, all);
    }

    private DatasetSpec images(DatasetDescription description, PublishedImages spec) {
        Image image = (Image) description.input();
        return spec.of(
                normalization(image.channels(), description.standardisation()),
                limit(description.trainingSamples()),
                augmentation(image));
    }

    private Augmentation augmentation(Image image) {
        JsonFieldReader augment = fields.object("augment");
        JsonFieldReader crop = augment.object("crop");
        var augmentation =
                new Augmentation(
                        new Augmentation.Crop(
                                crop.integer("padding", 0, 0, Augmentation.maxPadding(image))),
                        augment.named("flip", Augmentation.Flip.NONE));
        crop.end();
        augment.end();
        return augmentation;
    }

    /** Reports an augmentation of samples that are no images. */
    private void rejectAugmentation() {
        if (fields.given("augment")) {
            fields.reject(
                    "augment", "must be omitted, since only images can be cropped and flipped");
        }
    }

    private DatasetSpec nettalk() {
        rejectAugmentation();
        return new PublishedSpec.Nettalk(limit(PublishedDatasets.NETTALK.trainingSamples()));
    }

    private DatasetSpec brown() {
        rejectAugmentation();
        View view =
                fields.oneOf("view", "windows", List.of("windows", "sequences")).equals("sequences")
                        ? View.SEQUENCES
                        : View.WINDOWS;
        int vocabulary =
                fields.integer(
                        "vocabulary", Brown.VOCABULARY, Brown.MIN_VOCABULARY, Brown.MAX_VOCABULARY);
        int usual = view == View.WINDOWS ? Brown.WINDOW : Brown.SEQUENCE;
        int length = fields.integer("length", usual, 1, Brown.MAX_LENGTH);
        return new Brown(view, vocabulary, length, limit(Brown.trainingSamples(view, length)));
    }

    private DatasetSpec idx() {
        String folder = folder();
        int height = fields.integer("height", null, 1, OwnSpec.MAX_SIDE);
        int width = fields.integer("width", null, 1, OwnSpec.MAX_SIDE);
        int classes = fields.integer("classes", null, 2, Idx.MAX_LABELS);
        int samples = samples(null, (long) height * width);
        return new Idx(
                folder,
                height,
                width,
                classes,
                samples,
                normalization(1, null),
                limit(samples),
                augmentation(new Image(height, width, 1)));
    }

    private DatasetSpec csv() {
        rejectAugmentation();
        String folder = folder();
        int features = fields.integer("features", null, 1, Csv.MAX_FEATURES);
        int classes = fields.integer("classes", null, 2, DatasetSpec.MAX_CLASSES);
        int samples = samples(null, features);
        return new Csv(
                folder,
                features,
                classes,
                samples,
                normalization(features, null),
                limit(samples),
                header());
    }

    private CsvHeader header() {
        return fields.flagOr("auto", "header")
                .map(isPresent -> isPresent ? CsvHeader.PRESENT : CsvHeader.ABSENT)
                .orElse(CsvHeader.AUTO);
    }

    private DatasetSpec synthetic() {
        List<Integer> shape = shape();
        long size = shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
        int classes = count("classes", Synthetic.CLASSES, 2, most(DatasetSpec.MAX_CLASSES, size));
        int samples = samples(Synthetic.SAMPLES, size);
        return new Synthetic(
                shape,
                classes,
                samples,
                fields.wide("seed", 1),
                limit(samples),
                syntheticAugmentation(shape));
    }

    private Augmentation syntheticAugmentation(List<Integer> shape) {
        if (shape.size() == SIDES_OF_AN_IMAGE) {
            return augmentation(new Image(shape.get(0), shape.get(1), shape.get(2)));
        }
        rejectAugmentation();
        return Augmentation.NONE;
    }

    /**
     * Reads the shape: three sides of an image, or the length of a vector, also called features.
     */
    private List<Integer> shape() {
        if (fields.has("features") && !fields.has("shape")) {
            return List.of(fields.integer("features", null, 1, MAX_VECTOR));
        }
        List<Double> sides =
                fields.numbers("shape", null, List.of(1, SIDES_OF_AN_IMAGE), 1, MAX_VECTOR);
        if (!isShape(sides)) {
            fields.reject(
                    "shape",
                    "must be whole numbers whose product is at most "
                            + DatasetSpec.MAX_NUMBERS / 2);
            return List.of(1);
        }
        return sides.stream().map(Double::intValue).toList();
    }

    private static boolean isShape(List<Double> sides) {
        double size = sides.stream().reduce(1.0, (a, b) -> a * b);
        return sides.stream().noneMatch(side -> side != Math.rint(side))
                && size <= DatasetSpec.MAX_NUMBERS / 2;
    }

    private int samples(@Nullable Integer fallback, long numbersOfASample) {
        return count("samples", fallback, 1, most(DatasetSpec.MAX_SAMPLES, numbersOfASample));
    }

    /** Reads a count; a default that is above the limit must be replaced. */
    private int count(String name, @Nullable Integer fallback, int least, int most) {
        if (fallback != null && fallback > most && !fields.has(name)) {
            fields.note(
                    name,
                    "must be given, from %d to %d: the default, %d, makes too many numbers"
                            .formatted(least, most, fallback));
            return least;
        }
        return fields.integer(name, fallback, least, most);
    }

    /** Limits a count so that the data set has no more numbers than allowed. */
    private static int most(int most, long numbersOfOne) {
        return Math.clamp(DatasetSpec.MAX_NUMBERS / numbersOfOne, 1, most);
    }

    private String folder() {
        String folder = fields.text("folder", null);
        if (!folder.isEmpty() && !folder.matches(OwnSpec.FOLDER)) {
            fields.reject("folder", "must be the plain name of a folder, " + OwnSpec.FOLDER);
        }
        return folder.matches(OwnSpec.FOLDER) ? folder : "none";
    }

    private Normalization normalization(int channels, @Nullable Standardize usual) {
        JsonFieldReader choice = fields.choice("normalisation");
        String kind = choice.oneOf("kind", "unit", List.of("unit", "standardise"));
        Normalization normalization =
                kind.equals("standardise")
                        ? standardize(choice, channels, usual)
                        : new Normalization.Unit();
        choice.end();
        return normalization;
    }

    private static Normalization standardize(
            JsonFieldReader choice, int channels, @Nullable Standardize usual) {
        List<Double> mean =
                choice.numbers(
                        "mean",
                        usual(usual, Standardize::mean),
                        List.of(1, channels),
                        -Standardize.MAX_VALUE,
                        Standardize.MAX_VALUE);
        List<Double> deviation =
                choice.numbers(
                        "deviation",
                        usual(usual, Standardize::deviation),
                        List.of(1, channels),
                        Standardize.MIN_DEVIATION,
                        Standardize.MAX_VALUE);
        if (mean.size() != deviation.size()) {
            choice.reject("deviation", "must have as many numbers as mean, " + mean.size());
            return new Normalization.Unit();
        }
        return new Standardize(mean, deviation);
    }

    private static @Nullable List<Double> usual(
            @Nullable Standardize usual, Function<Standardize, List<Double>> part) {
        return usual == null ? null : part.apply(usual);
    }
}
