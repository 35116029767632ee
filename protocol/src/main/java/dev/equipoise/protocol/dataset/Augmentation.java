package dev.equipoise.protocol.dataset;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.protocol.network.Shape.Image;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jspecify.annotations.Nullable;

/*
 * Krizhevsky, Sutskever and Hinton 2012, section 4.1, for crops and flips; He, Zhang, Ren and Sun
 * 2016, Deep residual learning, section 4.2, for padded crops of CIFAR-10 images.
 */
/**
 * Data augmentation: draws a crop and a flip of each training image in each epoch. Draws follow
 * from the run's seed, the epoch and the number of the sample, and not from the rank. Test images
 * stay as they are.
 *
 * @param crop random crop; null for none
 * @param flip random flip; null for none
 */
public record Augmentation(Crop crop, Flip flip) {

    /** Largest padding of any image, in pixels. */
    public static final int MAX_PADDING = OwnSpec.MAX_SIDE - 1;

    /** Leaves all images as they are. */
    public static final Augmentation NONE = new Augmentation(new Crop(0), Flip.NONE);

    /**
     * Random crop: pads an image with black pixels on all four sides, and cuts out a part of the
     * original size at a uniformly drawn place.
     *
     * @param padding pixels on each side; 0 for no crop
     */
    public record Crop(int padding) {

        public Crop {
            DatasetLimits.within("padding", padding, 0, MAX_PADDING);
        }
    }

    /** Random flip. */
    public enum Flip {
        @JsonProperty("none")
        NONE,
        /** Exchanges left and right with a probability of one half. */
        @JsonProperty("horizontal")
        HORIZONTAL
    }

    /**
     * Leaves an augmentation that changes nothing out of JSON, so that configurations without one
     * keep their workload keys.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @JacksonAnnotationsInside
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = NoneFilter.class)
    @interface OmittedIfNone {}

    /** Jackson omits values that equal this filter. */
    static final class NoneFilter {

        @Override
        public boolean equals(@Nullable Object value) {
            return NONE.equals(value);
        }

        @Override
        public int hashCode() {
            return NONE.hashCode();
        }
    }

    public Augmentation {
        if (crop == null || flip == null) {
            throw new IllegalArgumentException(
                    "augment must have a crop and a flip, but was %s and %s".formatted(crop, flip));
        }
    }

    /** Returns the augmentation, or {@link #NONE} where a stored data set has none. */
    static Augmentation orNone(@Nullable Augmentation augment) {
        return augment == null ? NONE : augment;
    }

    /**
     * Returns the largest padding of an image, in pixels: below its shorter side, so that each crop
     * has pixels of the image.
     */
    public static int maxPadding(Image image) {
        return Math.min(MAX_PADDING, Math.min(image.height(), image.width()) - 1);
    }

    /**
     * Rejects a padding with which a crop could miss the image.
     *
     * @throws IllegalArgumentException if the padding is as long as a side of the image
     */
    void requireFits(Image image) {
        DatasetLimits.within("padding", crop.padding(), 0, maxPadding(image));
    }
}
