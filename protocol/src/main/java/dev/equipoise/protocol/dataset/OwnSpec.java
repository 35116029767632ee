package dev.equipoise.protocol.dataset;

import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Vector;

/** A user's own data set, in files of a folder. */
public sealed interface OwnSpec extends NumericSpec {

    /** Most pixels along a side of an image. */
    int MAX_SIDE = 4096;

    /** Pattern of the name of a folder. */
    String FOLDER = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+){0,10}";

    /** Longest name of a folder that a definition can have, in characters. */
    int MAX_FOLDER = 200;

    /** Returns the plain name of the folder, under a place where agents look for data. */
    String folder();

    /** Returns the number of training samples. */
    int samples();

    @Override
    default int trainingSamples() {
        return samples();
    }

    /**
     * A user's own grayscale images, in IDX files named like those of MNIST.
     *
     * @param folder plain name, under a place where agents look for data
     * @param height height of an image, in pixels
     * @param width width of an image, in pixels
     * @param classes number of classes
     * @param samples number of training samples
     * @param normalisation normalization of the samples
     * @param limit number of training samples that are used, counted from the first
     * @param augment random changes of training images
     */
    record Idx(
            String folder,
            int height,
            int width,
            int classes,
            int samples,
            Normalization normalisation,
            int limit,
            @Augmentation.OmittedIfNone Augmentation augment)
            implements OwnSpec {

        /** Most classes, as a label is a byte. */
        public static final int MAX_LABELS = 256;

        public Idx {
            DatasetLimits.folder(folder);
            DatasetLimits.within("height", height, 1, MAX_SIDE);
            DatasetLimits.within("width", width, 1, MAX_SIDE);
            DatasetLimits.within("classes", classes, 2, MAX_LABELS);
            DatasetLimits.within("samples", samples, 1, MAX_SAMPLES);
            DatasetLimits.within("limit", limit, 1, samples);
            DatasetLimits.numbers(samples, height * width);
            normalisation.requireChannels(1);
            augment = Augmentation.orNone(augment);
            augment.requireFits(new Image(height, width, 1));
        }

        /** Creates the data set without augmentation. */
        public Idx(
                String folder,
                int height,
                int width,
                int classes,
                int samples,
                Normalization normalisation,
                int limit) {
            this(folder, height, width, classes, samples, normalisation, limit, Augmentation.NONE);
        }

        @Override
        public String name() {
            return "idx";
        }

        @Override
        public Image input() {
            return new Image(height, width, 1);
        }
    }

    /**
     * A user's own rows of numbers, in {@code train.csv} and {@code test.csv}; the last column is
     * the class: its number, counted from 0, or its name.
     *
     * @param folder plain name, under a place where agents look for data
     * @param features number of columns without the last
     * @param classes number of classes
     * @param samples number of training samples
     * @param normalisation normalization of the samples
     * @param limit number of training samples that are used, counted from the first
     * @param header whether the first line of each file names the columns
     */
    record Csv(
            String folder,
            int features,
            int classes,
            int samples,
            Normalization normalisation,
            int limit,
            @CsvHeader.OmittedIfAuto CsvHeader header)
            implements OwnSpec {

        public static final int MAX_FEATURES = 100_000;

        /** Most classes with names. */
        public static final int MAX_CLASS_NAMES = 10_000;

        /** Longest name of a class, in characters. */
        public static final int MAX_CLASS_NAME = 200;

        public Csv {
            DatasetLimits.folder(folder);
            DatasetLimits.within("features", features, 1, MAX_FEATURES);
            DatasetLimits.within("classes", classes, 2, MAX_CLASSES);
            DatasetLimits.within("samples", samples, 1, MAX_SAMPLES);
            DatasetLimits.within("limit", limit, 1, samples);
            DatasetLimits.numbers(samples, features);
            normalisation.requireChannels(features);
            header = CsvHeader.orAuto(header);
        }

        /** Creates a data set whose files may have a header. */
        public Csv(
                String folder,
                int features,
                int classes,
                int samples,
                Normalization normalisation,
                int limit) {
            this(folder, features, classes, samples, normalisation, limit, CsvHeader.AUTO);
        }

        @Override
        public String name() {
            return "csv";
        }

        @Override
        public Vector input() {
            return new Vector(features);
        }
    }
}
