package dev.equipoise.protocol.model;

import java.util.List;

/**
 * Entry of a tensor in the header of a safetensors file. All tensors are float32, row-major and
 * little-endian.
 *
 * @param name unique in its file
 * @param shape sizes of the dimensions, each at least 0; empty for a scalar
 */
public record TensorEntry(String name, List<Long> shape) {

    static final int MAX_NAME = 1000;
    static final int MAX_DIMENSIONS = 8;

    /** Limit that keeps sums of sizes from overflowing. */
    private static final long MAX_ELEMENTS = 1L << 40;

    /**
     * Checks the entry.
     *
     * @throws ModelFileInvalid if the name or the shape is beyond its limits
     */
    public TensorEntry {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw new ModelFileInvalid(
                    "the name of a tensor must have 1 to %d characters, but has %d"
                            .formatted(MAX_NAME, name.length()));
        }
        shape = List.copyOf(shape);
        requireShape(name, shape);
    }

    private static void requireShape(String name, List<Long> shape) {
        long elements = 1;
        for (long size : shape) {
            if (size < 0 || size > MAX_ELEMENTS / elements) {
                throw new ModelFileInvalid(
                        "tensor %s has the shape %s: sizes are from 0 up, with %d elements at most"
                                .formatted(name, shape, MAX_ELEMENTS));
            }
            // A size of 0 must not hide a product that overflows behind it.
            elements *= Math.max(size, 1);
        }
        if (shape.size() > MAX_DIMENSIONS) {
            throw new ModelFileInvalid(
                    "tensor %s has %d dimensions: at most %d"
                            .formatted(name, shape.size(), MAX_DIMENSIONS));
        }
    }

    /** Returns the number of elements. */
    public long elements() {
        long elements = 1;
        for (long size : shape) {
            elements *= size;
        }
        return elements;
    }

    /** Returns the size of the tensor's data, in bytes. */
    public long bytes() {
        return elements() * Float.BYTES;
    }
}
