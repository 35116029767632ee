package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/*
 * The JIT vectorizes loops over arrays; loops over several native vectors only from JDK 26 on,
 * which learned to check whether they overlap (JDK-8324751). So the vectors pass through arrays
 * that stay in the nearest cache. A step of Adam on a few thousand parameters takes half the time,
 * clipping by value a quarter; at millions of parameters memory bandwidth limits both.
 */
/** Block of all vectors on which a step works at a time. */
final class Block {

    /** Limit of elements; longer blocks would evict one another from the cache. */
    static final int MAX_LENGTH = 512;

    private final float[] parameters = new float[MAX_LENGTH];
    private final float[] gradient = new float[MAX_LENGTH];
    private final float[][] vectors;
    private int from;
    private int length;

    Block(int vectors) {
        this.vectors = new float[vectors][MAX_LENGTH];
    }

    void load(
            int first,
            int count,
            MemorySegment allParameters,
            MemorySegment wholeGradient,
            OptimizerState state) {
        from = first;
        length = count;
        read(allParameters, parameters);
        read(wholeGradient, gradient);
        for (int i = 0; i < vectors.length; i++) {
            read(state.vectors().get(i), vectors[i]);
        }
    }

    /** Writes parameters and state back; the gradient is only read. */
    void store(MemorySegment allParameters, OptimizerState state) {
        write(parameters, allParameters);
        for (int i = 0; i < vectors.length; i++) {
            write(vectors[i], state.vectors().get(i));
        }
    }

    /** Returns the number of valid elements. */
    int length() {
        return length;
    }

    float[] parameters() {
        return parameters;
    }

    float[] gradient() {
        return gradient;
    }

    float[] vector(int index) {
        return vectors[index];
    }

    private void read(MemorySegment source, float[] target) {
        MemorySegment.copy(source, JAVA_FLOAT, JAVA_FLOAT.scale(0, from), target, 0, length);
    }

    private void write(float[] source, MemorySegment target) {
        MemorySegment.copy(source, 0, target, JAVA_FLOAT, JAVA_FLOAT.scale(0, from), length);
    }
}
