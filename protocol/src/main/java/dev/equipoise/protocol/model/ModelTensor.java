package dev.equipoise.protocol.model;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Tensor of a state dict as a strided view of the flat parameter vector: its elements in row-major
 * order lie at {@code offset} plus the sum of each axis' index times its stride. A dimension of the
 * shape consists of one axis or of several adjacent ones.
 *
 * @param name as in a PyTorch state dict, such as {@code layers.0.weight}
 * @param shape sizes of the dimensions in PyTorch's convention
 * @param offset of the first element in the flat parameter vector, in floats
 * @param axes from the slowest to the fastest
 * @param isAddend whether the tensor is PyTorch's second bias of a recurrent layer: it is zero in
 *     files of this product, and a reader adds it to the first
 */
public record ModelTensor(
        String name, List<Integer> shape, int offset, List<Axis> axes, boolean isAddend) {

    /**
     * Axis of a strided view.
     *
     * @param size number of indices
     * @param stride distance of neighbors in the flat parameter vector, in floats
     */
    public record Axis(int size, int stride) {}

    public ModelTensor {
        shape = List.copyOf(shape);
        axes = List.copyOf(axes);
    }

    /** Returns the number of elements. */
    public long elements() {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }

    /** Returns the entry in the header of a file. */
    public TensorEntry entry() {
        return new TensorEntry(name, shape.stream().map(Integer::longValue).toList());
    }

    /**
     * Writes consecutive elements in row-major order, as many as the buffer has room for.
     *
     * @param parameters the flat parameter vector, float32
     * @param from index of the first element
     */
    public void gather(MemorySegment parameters, long from, FloatBuffer into) {
        for (long element = from; into.hasRemaining(); element++) {
            into.put(isAddend ? 0 : parameters.getAtIndex(JAVA_FLOAT, position(element)));
        }
    }

    /**
     * Reads consecutive elements in row-major order, as many as the buffer holds. They replace
     * those of the vector, or are added to them if this is an addend.
     *
     * @param parameters the flat parameter vector, float32
     * @param from index of the first element
     */
    public void scatter(FloatBuffer elements, long from, MemorySegment parameters) {
        for (long element = from; elements.hasRemaining(); element++) {
            long at = position(element);
            float value = elements.get();
            if (!isAddend) {
                parameters.setAtIndex(JAVA_FLOAT, at, value);
            } else if (value != 0) {
                // Adding a zero would turn a negative zero into a positive one.
                parameters.setAtIndex(
                        JAVA_FLOAT, at, parameters.getAtIndex(JAVA_FLOAT, at) + value);
            }
        }
    }

    /** Returns the index of an element in the flat parameter vector. */
    long position(long element) {
        long rest = element;
        long position = offset;
        for (int i = axes.size() - 1; i >= 0; i--) {
            Axis axis = axes.get(i);
            position += rest % axis.size() * axis.stride();
            rest /= axis.size();
        }
        return position;
    }
}
