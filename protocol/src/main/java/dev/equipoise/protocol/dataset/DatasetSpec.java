package dev.equipoise.protocol.dataset;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Vector;
import java.util.List;

/** Data set of a definition: a published one, a user's own or a synthetic one. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "name")
@JsonSubTypes({
    @JsonSubTypes.Type(value = PublishedSpec.Mnist.class, name = "mnist"),
    @JsonSubTypes.Type(value = PublishedSpec.FashionMnist.class, name = "fashion-mnist"),
    @JsonSubTypes.Type(value = PublishedSpec.Cifar10.class, name = "cifar-10"),
    @JsonSubTypes.Type(value = PublishedSpec.Cifar100.class, name = "cifar-100"),
    @JsonSubTypes.Type(value = PublishedSpec.Optdigits.class, name = "optdigits"),
    @JsonSubTypes.Type(value = PublishedSpec.Nettalk.class, name = "nettalk"),
    @JsonSubTypes.Type(value = PublishedSpec.Brown.class, name = "brown"),
    @JsonSubTypes.Type(value = OwnSpec.Idx.class, name = "idx"),
    @JsonSubTypes.Type(value = OwnSpec.Csv.class, name = "csv"),
    @JsonSubTypes.Type(value = DatasetSpec.Synthetic.class, name = "synthetic")
})
public sealed interface DatasetSpec permits PublishedSpec, NumericSpec, DatasetSpec.Synthetic {

    /** Most samples of a user's own or a synthetic data set. */
    int MAX_SAMPLES = 10_000_000;

    /** Most values of all training samples together. */
    int MAX_NUMBERS = 1 << 27;

    /** Most classes with one label per sample. */
    int MAX_CLASSES = 1 << 16;

    /** Returns the name in definitions. */
    String name();

    /** Returns the input shape of a network. */
    Shape input();

    int classes();

    /** Returns the number of labels per sample. */
    default int positions() {
        return 1;
    }

    /** Returns the length of the target codes of the classes, for the squared error. */
    default int targetUnits() {
        return classes();
    }

    /** Returns the number of training samples. */
    int trainingSamples();

    /** Returns the number of used training samples, counted from the first. */
    int limit();

    /** Returns the augmentation of training images; none for data sets without images. */
    default Augmentation augment() {
        return Augmentation.NONE;
    }

    /**
     * Synthetic samples: each class is a pattern with noise. For tests of the software only.
     *
     * @param shape height, width and channels of an image, or the length of a vector
     * @param classes number of classes
     * @param samples number of training samples
     * @param seed seed of the patterns and the noise
     * @param limit most training samples that are used
     * @param augment random changes of training images
     */
    record Synthetic(
            List<Integer> shape,
            int classes,
            int samples,
            long seed,
            int limit,
            @Augmentation.OmittedIfNone Augmentation augment)
            implements DatasetSpec {

        /** Default number of classes. */
        public static final int CLASSES = 10;

        /** Default number of training samples. */
        public static final int SAMPLES = 1000;

        private static final int SIDES_OF_AN_IMAGE = 3;

        public Synthetic {
            shape = List.copyOf(shape);
            if (shape.size() != 1 && shape.size() != SIDES_OF_AN_IMAGE) {
                throw new IllegalArgumentException(
                        "shape must have 1 or %d numbers, but was %s"
                                .formatted(SIDES_OF_AN_IMAGE, shape));
            }
            DatasetLimits.within("classes", classes, 2, MAX_CLASSES);
            DatasetLimits.within("samples", samples, 1, MAX_SAMPLES);
            DatasetLimits.within("limit", limit, 1, samples);
            DatasetLimits.numbers(Math.max(samples, classes), shape(shape).size());
            augment = Augmentation.orNone(augment);
            requireFits(augment, shape(shape));
        }

        /** Creates samples without augmentation. */
        public Synthetic(List<Integer> shape, int classes, int samples, long seed, int limit) {
            this(shape, classes, samples, seed, limit, Augmentation.NONE);
        }

        private static void requireFits(Augmentation augment, Shape shape) {
            if (shape instanceof Image image) {
                augment.requireFits(image);
            } else if (!augment.equals(Augmentation.NONE)) {
                throw new IllegalArgumentException(
                        "augment needs images, but a sample is " + shape);
            }
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
}
