package dev.equipoise.agent.network;

/** One layer of an architecture, without its weights. */
public sealed interface Layer {

    /**
     * The shape that this layer makes of another.
     *
     * @throws IllegalArgumentException if the layer cannot take the input
     */
    Shape output(Shape input);

    /** Square filters at stride 1, without padding. */
    record Convolution(int filters, int kernel) implements Layer {
        public Convolution {
            requirePositive("filters", filters);
            requirePositive("kernel", kernel);
        }

        @Override
        public Shape output(Shape input) {
            if (input.height() < kernel || input.width() < kernel) {
                throw new IllegalArgumentException(
                        "the input must be at least %1$dx%1$d".formatted(kernel));
            }
            return new Shape(input.height() - kernel + 1, input.width() - kernel + 1, filters);
        }
    }

    /** The largest value of each square window; windows touch and do not overlap. */
    record MaxPool(int size) implements Layer {
        public MaxPool {
            requirePositive("size", size);
        }

        @Override
        public Shape output(Shape input) {
            if (input.height() % size != 0 || input.width() % size != 0) {
                throw new IllegalArgumentException(
                        "height and width of the input must be multiples of " + size);
            }
            return new Shape(input.height() / size, input.width() / size, input.channels());
        }
    }

    record Relu() implements Layer {
        @Override
        public Shape output(Shape input) {
            return input;
        }
    }

    /** Connects every input with every unit; an image is read row by row, channels innermost. */
    record Dense(int units) implements Layer {
        public Dense {
            requirePositive("units", units);
        }

        @Override
        public Shape output(Shape input) {
            return Shape.vector(units);
        }
    }

    private static void requirePositive(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be positive, but was " + value);
        }
    }
}
