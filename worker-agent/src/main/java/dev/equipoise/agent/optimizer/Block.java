package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/*
 * Loops over arrays are vectorised; those over several native vectors are not before JDK 26, which
 * first learnt to find out whether they overlap (JDK-8324751). So the vectors pass through arrays
 * that stay in the nearest cache. A step of Adam on a few thousand parameters takes half the time,
 * clipping by value a quarter of it; at millions the memory is what takes its time.
 */
/** As much of all vectors as a step works on at a time. */
final class Block {

    /** In elements; longer ones push one another out of the cache. */
    static final int LARGEST = 512;

    private final float[] parameters = new float[LARGEST];
    private final float[] gradient = new float[LARGEST];
    private final float[][] vectors;
    private int from;
    private int length;

    Block(int vectors) {
        this.vectors = new float[vectors][LARGEST];
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

    /** The gradient is only read. */
    void store(MemorySegment allParameters, OptimizerState state) {
        write(parameters, allParameters);
        for (int i = 0; i < vectors.length; i++) {
            write(vectors[i], state.vectors().get(i));
        }
    }

    /** How much of the arrays counts. */
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
