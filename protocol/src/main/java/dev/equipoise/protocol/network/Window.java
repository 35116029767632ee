package dev.equipoise.protocol.network;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.protocol.network.Shape.Image;

/**
 * A square that slides over an image.
 *
 * @param size of a side
 * @param stride steps from one place to the next, in both directions
 * @param padding pixels beyond each border that count as image
 * @param rounding what happens to a rest of the image that is smaller than a step
 */
public record Window(int size, int stride, int padding, Rounding rounding) {

    public enum Rounding {
        /** The rest is left out. */
        @JsonProperty("down")
        DOWN,
        /** One more place, which reaches over the border, as in Caffe. */
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

    /** How many places there are along a side of the image. */
    public int places(int side) {
        int room = side + 2 * padding - size;
        int places = 1 + (rounding == Rounding.UP ? Math.ceilDiv(room, stride) : room / stride);
        // A window that begins beyond the image would see nothing of it.
        return (places - 1) * stride >= side + padding ? places - 1 : places;
    }

    Shape over(Shape input) {
        return input instanceof Image image ? over(input, image.channels()) : refuse();
    }

    Shape over(Shape input, int channels) {
        if (input instanceof Image(int height, int width, int _)
                && Math.min(height, width) + 2L * padding >= size) {
            return new Image(places(height), places(width), channels);
        }
        return refuse();
    }

    private Shape refuse() {
        int least = Math.max(1, size - 2 * padding);
        throw new IllegalArgumentException("takes an image of at least %1$dx%1$d".formatted(least));
    }
}
