package dev.equipoise.protocol.network;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Shape of one sample between two layers. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Shape.Image.class, name = "image"),
    @JsonSubTypes.Type(value = Shape.Vector.class, name = "vector"),
    @JsonSubTypes.Type(value = Shape.Tokens.class, name = "tokens"),
    @JsonSubTypes.Type(value = Shape.Sequence.class, name = "sequence")
})
public sealed interface Shape {

    /** Returns the number of values per sample. */
    int size();

    /**
     * Pixels row by row, channels innermost.
     *
     * @param height height in pixels
     * @param width width in pixels
     * @param channels number of channels
     */
    record Image(int height, int width, int channels) implements Shape {

        public Image {
            Sizes.positive("height", height);
            Sizes.positive("width", width);
            Sizes.positive("channels", channels);
            Sizes.product(height, width, channels);
        }

        @Override
        public int size() {
            return height * width * channels;
        }

        @Override
        public String toString() {
            return height + "x" + width + "x" + channels;
        }
    }

    /**
     * Vector of numbers.
     *
     * @param length number of its elements
     */
    record Vector(int length) implements Shape {

        public Vector {
            Sizes.positive("length", length);
        }

        @Override
        public int size() {
            return length;
        }

        @Override
        public String toString() {
            return "a vector of " + length;
        }
    }

    /**
     * Consecutive words, each as an index below {@code vocabulary}.
     *
     * @param length number of words
     * @param vocabulary number of different words
     */
    record Tokens(int length, int vocabulary) implements Shape {

        public Tokens {
            Sizes.positive("length", length);
            Sizes.positive("vocabulary", vocabulary);
        }

        @Override
        public int size() {
            return length;
        }

        @Override
        public String toString() {
            return "%d words of %d".formatted(length, vocabulary);
        }
    }

    /**
     * One feature vector at each of {@code length} positions.
     *
     * @param length number of positions
     * @param features numbers at each position
     */
    record Sequence(int length, int features) implements Shape {

        public Sequence {
            Sizes.positive("length", length);
            Sizes.positive("features", features);
            Sizes.product(length, features);
        }

        @Override
        public int size() {
            return length * features;
        }

        @Override
        public String toString() {
            return "%d positions of %d".formatted(length, features);
        }
    }
}
