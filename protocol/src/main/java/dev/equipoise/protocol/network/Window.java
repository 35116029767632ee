package dev.equipoise.protocol.network;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.protocol.network.Shape.Image;

/**
 * Square window that slides over an image.
 *
 * @param size of a side, in pixels
 * @param stride in pixels, in both directions
 * @param padding pixels beyond each border that the window may cover
 * @param rounding handling of a rest of the image that is smaller than the stride
 */
public record Window(int size, int stride, int padding, Rounding rounding) {

    public enum Rounding {
        /** The rest is ignored. */
        @JsonProperty("down")
        DOWN,
        /** One more position, which extends beyond the border, as in Caffe. */
        @JsonProperty("up")
        UP
    }

    public Window {
        Sizes.positive("size", size);
        Sizes.positive("stride", stride);
        if (padding < 0 || padding >= size) {
            throw new IllegalArgumentException(
                    "padding must be at least 0 and below the size of the window, %d, but is %d"
                            .formatted(size, padding));
        }
    }

    /** Returns the number of window positions along a side of the image. */
    public int places(int side) {
        int span = side + 2 * padding - size;
        int count = 1 + (rounding == Rounding.UP ? Math.ceilDiv(span, stride) : span / stride);
        // A window that begins beyond the image would cover no pixel of it.
        return (count - 1) * stride >= side + padding ? count - 1 : count;
    }

    Shape over(Shape input) {
        return input instanceof Image image ? over(input, image.channels()) : reject();
    }

    Shape over(Shape input, int channels) {
        if (input instanceof Image(int height, int width, int _)
                && Math.min(height, width) + 2L * padding >= size) {
            return new Image(places(height), places(width), channels);
        }
        return reject();
    }

    private Shape reject() {
        int least = Math.max(1, size - 2 * padding);
        throw new IllegalArgumentException("takes an image of at least %1$dx%1$d".formatted(least));
    }
}
