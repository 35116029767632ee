package dev.equipoise.agent.codec;

/** A part of a gradient, as {@link PowerSgd} treats it. */
public sealed interface Part {

    /** In elements. */
    int length();

    /** Weights, row-major; those of a convolution as outputs x (inputs x height x width). */
    record Matrix(int rows, int columns) implements Part {

        /** Refuses what is no matrix, or too large for a vector. */
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

    /** Biases and the like, which travel as they are. */
    record Plain(int length) implements Part {

        /** Refuses a length below 0. */
        public Plain {
            if (length < 0) {
                throw new IllegalArgumentException(
                        "the length must be at least 0, but was " + length);
            }
        }
    }
}
