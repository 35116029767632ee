package dev.equipoise.agent.codec;

/**
 * A part of a gradient: {@link PowerSgd} compresses matrices and sends other parts uncompressed.
 */
public sealed interface GradientPart {

    /** The length, in elements. */
    int length();

    /**
     * A row-major weight matrix; the weights of a convolution are outputs x (inputs x height x
     * width).
     */
    record Matrix(int rows, int columns) implements GradientPart {

        public Matrix {
            if (rows < 1 || columns < 1 || (long) rows * columns > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a matrix must have from 1 to 2^31 - 1 elements, but has %d x %d"
                                .formatted(rows, columns));
            }
        }

        @Override
        public int length() {
            return rows * columns;
        }
    }

    /** Biases and other parts that are sent uncompressed. */
    record Plain(int length) implements GradientPart {

        public Plain {
            if (length < 0) {
                throw new IllegalArgumentException(
                        "the length must be at least 0, but was " + length);
            }
        }
    }
}
