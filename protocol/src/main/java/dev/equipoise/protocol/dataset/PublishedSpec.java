package dev.equipoise.protocol.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Tokens;

/** A published data set with known terms and sources. */
public sealed interface PublishedSpec extends DatasetSpec {

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

    /**
     * MNIST: handwritten digits.
     *
     * @param normalisation normalization of the samples
     * @param limit number of training samples that are used, counted from the first
     * @param augment random changes of training images
     */
    record Mnist(
            Normalization normalisation,
            int limit,
            @Augmentation.OmittedIfNone Augmentation augment)
            implements PublishedSpec, NumericSpec {

        public Mnist {
            augment = Augmentation.orNone(augment);
            check(normalisation, limit, augment, PublishedDatasets.MNIST);
        }

        /** Creates the data set without augmentation. */
        public Mnist(Normalization normalisation, int limit) {
            this(normalisation, limit, Augmentation.NONE);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.MNIST;
        }
    }

    /**
     * Fashion-MNIST: images of clothes.
     *
     * @param normalisation normalization of the samples
     * @param limit number of training samples that are used, counted from the first
     * @param augment random changes of training images
     */
    record FashionMnist(
            Normalization normalisation,
            int limit,
            @Augmentation.OmittedIfNone Augmentation augment)
            implements PublishedSpec, NumericSpec {

        public FashionMnist {
            augment = Augmentation.orNone(augment);
            check(normalisation, limit, augment, PublishedDatasets.FASHION_MNIST);
        }

        /** Creates the data set without augmentation. */
        public FashionMnist(Normalization normalisation, int limit) {
            this(normalisation, limit, Augmentation.NONE);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.FASHION_MNIST;
        }
    }

    /**
     * CIFAR-10: color images of ten classes.
     *
     * @param normalisation normalization of the samples
     * @param limit number of training samples that are used, counted from the first
     * @param augment random changes of training images
     */
    record Cifar10(
            Normalization normalisation,
            int limit,
            @Augmentation.OmittedIfNone Augmentation augment)
            implements PublishedSpec, NumericSpec {

        public Cifar10 {
            augment = Augmentation.orNone(augment);
            check(normalisation, limit, augment, PublishedDatasets.CIFAR_10);
        }

        /** Creates the data set without augmentation. */
        public Cifar10(Normalization normalisation, int limit) {
            this(normalisation, limit, Augmentation.NONE);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.CIFAR_10;
        }
    }

    /**
     * CIFAR-100: color images of a hundred classes.
     *
     * @param normalisation normalization of the samples
     * @param limit number of training samples that are used, counted from the first
     * @param augment random changes of training images
     */
    record Cifar100(
            Normalization normalisation,
            int limit,
            @Augmentation.OmittedIfNone Augmentation augment)
            implements PublishedSpec, NumericSpec {

        public Cifar100 {
            augment = Augmentation.orNone(augment);
            check(normalisation, limit, augment, PublishedDatasets.CIFAR_100);
        }

        /** Creates the data set without augmentation. */
        public Cifar100(Normalization normalisation, int limit) {
            this(normalisation, limit, Augmentation.NONE);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.CIFAR_100;
        }
    }

    /**
     * Optdigits: handwritten digits of 8x8 pixels.
     *
     * @param normalisation normalization of the samples
     * @param limit number of training samples that are used, counted from the first
     * @param augment random changes of training images
     */
    record Optdigits(
            Normalization normalisation,
            int limit,
            @Augmentation.OmittedIfNone Augmentation augment)
            implements PublishedSpec, NumericSpec {

        /** Largest gray level; the smallest is 0. */
        public static final int LEVELS = 16;

        public Optdigits {
            augment = Augmentation.orNone(augment);
            check(normalisation, limit, augment, PublishedDatasets.OPTDIGITS);
        }

        /** Creates the data set without augmentation. */
        public Optdigits(Normalization normalisation, int limit) {
            this(normalisation, limit, Augmentation.NONE);
        }

        @Override
        public DatasetDescription description() {
            return PublishedDatasets.OPTDIGITS;
        }
    }

    /**
     * NETtalk: windows of seven letters. A class is a phoneme with a stress. The target code has
     * one unit per articulatory feature and one per stress.
     *
     * @param limit number of training samples that are used, counted from the first
     */
    record Nettalk(int limit) implements PublishedSpec {

        public static final int WINDOW = 7;
        public static final int LETTERS = 29;
        public static final int TARGET_UNITS = 26;

        /** Number of words, in an order drawn once, whose letters are training samples. */
        public static final int TRAINING_WORDS = 18_000;

        public Nettalk {
            DatasetLimits.within("limit", limit, 1, PublishedDatasets.NETTALK.trainingSamples());
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
     * Brown corpus: words of running text. The vocabulary contains the words of the training part,
     * the most frequent first; all others are one unknown word, and the border between sentences is
     * a word, too.
     *
     * @param view form in which words enter the network
     * @param vocabulary number of distinct words, with the unknown word and the border
     * @param length number of words per sample
     * @param limit number of training samples that are used, counted from the first
     */
    record Brown(View view, int vocabulary, int length, int limit) implements PublishedSpec {

        /** Default length of a window: with its label, five words. */
        public static final int WINDOW = 4;

        /** Default length of a sequence. */
        public static final int SEQUENCE = 20;

        /** Default vocabulary. */
        public static final int VOCABULARY = 10_000;

        /** Smallest vocabulary: the unknown word, the border and one word. */
        public static final int MIN_VOCABULARY = 3;

        /** Largest vocabulary: all words of the training part, the unknown word and the border. */
        public static final int MAX_VOCABULARY = 49_138;

        public static final int MAX_LENGTH = 1000;
        public static final int TRAINING_SENTENCES = 40_000;

        /** Words of the training part, with one border per sentence. */
        public static final int TRAINING_WORDS = 928_291;

        /** Words of the test part, with one border per sentence. */
        public static final int TEST_WORDS = 290_241;

        /** Form of a sample. */
        public enum View {
            /** The words before a word; that word is the label. */
            @JsonProperty("windows")
            WINDOWS,
            /** Consecutive words; the label of each is the next one. */
            @JsonProperty("sequences")
            SEQUENCES
        }

        public Brown {
            DatasetLimits.within("vocabulary", vocabulary, MIN_VOCABULARY, MAX_VOCABULARY);
            DatasetLimits.within("length", length, 1, MAX_LENGTH);
            DatasetLimits.within("limit", limit, 1, trainingSamples(view, length));
        }

        /** Returns the number of training samples for a length. */
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

    private static void check(
            Normalization normalisation,
            int limit,
            Augmentation augment,
            DatasetDescription description) {
        Image image = (Image) description.input();
        DatasetLimits.within("limit", limit, 1, description.trainingSamples());
        normalisation.requireChannels(image.channels());
        augment.requireFits(image);
    }
}
