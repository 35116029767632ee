package dev.equipoise.protocol.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Tokens;
import dev.equipoise.protocol.network.Shape.Vector;
import java.util.List;

/** The data that a definition chooses. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "name")
@JsonSubTypes({
    @JsonSubTypes.Type(value = DatasetSpec.Mnist.class, name = "mnist"),
    @JsonSubTypes.Type(value = DatasetSpec.FashionMnist.class, name = "fashion-mnist"),
    @JsonSubTypes.Type(value = DatasetSpec.Cifar10.class, name = "cifar-10"),
    @JsonSubTypes.Type(value = DatasetSpec.Cifar100.class, name = "cifar-100"),
    @JsonSubTypes.Type(value = DatasetSpec.Optdigits.class, name = "optdigits"),
    @JsonSubTypes.Type(value = DatasetSpec.Nettalk.class, name = "nettalk"),
    @JsonSubTypes.Type(value = DatasetSpec.Brown.class, name = "brown"),
    @JsonSubTypes.Type(value = DatasetSpec.Idx.class, name = "idx"),
    @JsonSubTypes.Type(value = DatasetSpec.Csv.class, name = "csv"),
    @JsonSubTypes.Type(value = DatasetSpec.Synthetic.class, name = "synthetic")
})
public sealed interface DatasetSpec {

    /** The most samples that a user's own or a made-up set may have. */
    int MOST_SAMPLES = 10_000_000;

    /** The most numbers that the training samples may have together. */
    int MOST_NUMBERS = 1 << 27;

    /** The most classes where a sample has one label. */
    int MOST_CLASSES = 1 << 16;

    /** The most pixels along a side of an image of one's own. */
    int LONGEST_SIDE = 4096;

    /** What the name of a user's folder matches. */
    String FOLDER = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+){0,10}";

    /** What definitions call it. */
    String name();

    /** What a network gets of a sample. */
    Shape input();

    int classes();

    /** Labels a sample. */
    default int positions() {
        return 1;
    }

    /** Length of the vectors that stand for the classes where the loss is a squared error. */
    default int targetUnits() {
        return classes();
    }

    /** How many training samples there are. */
    int trainingSamples();

    /** How many training samples are used, from the first. */
    int limit();

    /** A choice of which the terms and the public homes are known. */
    sealed interface Published extends DatasetSpec {

        DatasetDescription description();

        @Override
        default String name() {
            return description().name();
        }

        @Override
        default Shape input() {
            return description().input();
        }

        @Override
        default int classes() {
            return description().classes();
        }

        @Override
        default int trainingSamples() {
            return description().trainingSamples();
        }
    }

    /** Samples that are numbers, to be normalised. */
    sealed interface Numeric extends DatasetSpec {

        Normalisation normalisation();
    }

    record Mnist(Normalisation normalisation, int limit) implements Published, Numeric {

        public Mnist {
            check(normalisation, 1, limit, PublishedDatasets.MNIST);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.MNIST;
        }
    }

    record FashionMnist(Normalisation normalisation, int limit) implements Published, Numeric {

        public FashionMnist {
            check(normalisation, 1, limit, PublishedDatasets.FASHION_MNIST);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.FASHION_MNIST;
        }
    }

    record Cifar10(Normalisation normalisation, int limit) implements Published, Numeric {

        public Cifar10 {
            check(normalisation, 3, limit, PublishedDatasets.CIFAR_10);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.CIFAR_10;
        }
    }

    record Cifar100(Normalisation normalisation, int limit) implements Published, Numeric {

        public Cifar100 {
            check(normalisation, 3, limit, PublishedDatasets.CIFAR_100);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.CIFAR_100;
        }
    }

    record Optdigits(Normalisation normalisation, int limit) implements Published, Numeric {

        /** The largest grey level; the smallest is 0. */
        public static final int LEVELS = 16;

        public Optdigits {
            check(normalisation, 1, limit, PublishedDatasets.OPTDIGITS);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.OPTDIGITS;
        }
    }

    /**
     * Windows of seven letters. A class is a phoneme with a stress; in the target code its units
     * are articulatory features and one unit a stress.
     */
    record Nettalk(int limit) implements Published {

        public static final int WINDOW = 7;
        public static final int LETTERS = 29;
        public static final int TARGET_UNITS = 26;

        /** Words, in an order drawn once, whose letters are training samples. */
        public static final int TRAINING_WORDS = 18_000;

        public Nettalk {
            Bounds.within("limit", limit, 1, PublishedDatasets.NETTALK.trainingSamples());
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.NETTALK;
        }

        @Override
        public int targetUnits() {
            return TARGET_UNITS;
        }
    }

    /**
     * Words of running text. The words are those of the training part, the most frequent first; all
     * others are one word, and so is the border between sentences.
     *
     * @param vocabulary words that are told apart, these two among them
     * @param length words that a sample has
     */
    record Brown(View view, int vocabulary, int length, int limit) implements Published {

        /** The usual length of a window: with its label, five words. */
        public static final int WINDOW = 4;

        /** The usual length of a sequence. */
        public static final int SEQUENCE = 20;

        /** The usual vocabulary. */
        public static final int VOCABULARY = 10_000;

        /** The unknown word, the border, and a word. */
        public static final int LEAST_VOCABULARY = 3;

        /** All words of the training part, the unknown word and the border. */
        public static final int MOST_VOCABULARY = 49_138;

        public static final int LONGEST = 1000;
        public static final int TRAINING_SENTENCES = 40_000;

        /** Words of the training part, with a border a sentence. */
        public static final int TRAINING_WORDS = 928_291;

        /** Words of the test part, with a border a sentence. */
        public static final int TEST_WORDS = 290_241;

        /** What a sample is. */
        public enum View {
            /** The words before a word, which is the label. */
            @JsonProperty("windows")
            WINDOWS,
            /** Words in a row; the label of each is the next. */
            @JsonProperty("sequences")
            SEQUENCES
        }

        public Brown {
            Bounds.within("vocabulary", vocabulary, LEAST_VOCABULARY, MOST_VOCABULARY);
            Bounds.within("length", length, 1, LONGEST);
            Bounds.within("limit", limit, 1, trainingSamples(view, length));
        }

        /** How many training samples there are of a length. */
        public static int trainingSamples(View view, int length) {
            return switch (view) {
                case WINDOWS -> TRAINING_WORDS;
                case SEQUENCES -> TRAINING_WORDS / length;
            };
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.BROWN;
        }

        @Override
        public Shape input() {
            return new Tokens(length, vocabulary);
        }

        @Override
        public int classes() {
            return vocabulary;
        }

        @Override
        public int positions() {
            return view == View.SEQUENCES ? length : 1;
        }

        @Override
        public int trainingSamples() {
            return trainingSamples(view, length);
        }
    }

    /**
     * Grey images of one's own, in IDX files that are named like those of MNIST.
     *
     * @param folder its plain name, under a place where agents look for data
     */
    record Idx(
            String folder,
            int height,
            int width,
            int classes,
            int samples,
            Normalisation normalisation,
            int limit)
            implements Numeric {

        /** A label is a byte. */
        public static final int MOST_LABELS = 256;

        public Idx {
            Bounds.folder(folder);
            Bounds.within("height", height, 1, LONGEST_SIDE);
            Bounds.within("width", width, 1, LONGEST_SIDE);
            Bounds.within("classes", classes, 2, MOST_LABELS);
            Bounds.within("samples", samples, 1, MOST_SAMPLES);
            Bounds.within("limit", limit, 1, samples);
            Bounds.numbers(samples, height * width);
            normalisation.requireChannels(1);
        }

        @Override
        public String name() {
            return "idx";
        }

        @Override
        public Image input() {
            return new Image(height, width, 1);
        }

        @Override
        public int trainingSamples() {
            return samples;
        }
    }

    /**
     * Rows of numbers of one's own, in {@code train.csv} and {@code test.csv}; the last column is
     * the class, counted from 0.
     *
     * @param folder its plain name, under a place where agents look for data
     * @param features columns but the last
     */
    record Csv(
            String folder,
            int features,
            int classes,
            int samples,
            Normalisation normalisation,
            int limit)
            implements Numeric {

        public static final int MOST_FEATURES = 100_000;

        public Csv {
            Bounds.folder(folder);
            Bounds.within("features", features, 1, MOST_FEATURES);
            Bounds.within("classes", classes, 2, MOST_CLASSES);
            Bounds.within("samples", samples, 1, MOST_SAMPLES);
            Bounds.within("limit", limit, 1, samples);
            Bounds.numbers(samples, features);
            normalisation.requireChannels(features);
        }

        @Override
        public String name() {
            return "csv";
        }

        @Override
        public Vector input() {
            return new Vector(features);
        }

        @Override
        public int trainingSamples() {
            return samples;
        }
    }

    /**
     * Made up: each class is a pattern under noise. Good for tests of the machinery only.
     *
     * @param shape height, width and channels of an image, or the length of a vector
     */
    record Synthetic(List<Integer> shape, int classes, int samples, long seed, int limit)
            implements DatasetSpec {

        /** The usual number of classes. */
        public static final int CLASSES = 10;

        /** The usual number of training samples. */
        public static final int SAMPLES = 1000;

        private static final int SIDES_OF_AN_IMAGE = 3;

        public Synthetic {
            shape = List.copyOf(shape);
            if (shape.size() != 1 && shape.size() != SIDES_OF_AN_IMAGE) {
                throw new IllegalArgumentException(
                        "shape must have 1 or %d numbers, but was %s"
                                .formatted(SIDES_OF_AN_IMAGE, shape));
            }
            Bounds.within("classes", classes, 2, MOST_CLASSES);
            Bounds.within("samples", samples, 1, MOST_SAMPLES);
            Bounds.within("limit", limit, 1, samples);
            Bounds.numbers(Math.max(samples, classes), shape(shape).size());
        }

        @Override
        public String name() {
            return "synthetic";
        }

        @Override
        public Shape input() {
            return shape(shape);
        }

        @Override
        public int trainingSamples() {
            return samples;
        }

        private static Shape shape(List<Integer> sides) {
            return sides.size() == 1
                    ? new Vector(sides.getFirst())
                    : new Image(sides.get(0), sides.get(1), sides.get(2));
        }
    }

    private static void check(
            Normalisation normalisation, int channels, int limit, DatasetDescription description) {
        Bounds.within("limit", limit, 1, description.trainingSamples());
        normalisation.requireChannels(channels);
    }
}
