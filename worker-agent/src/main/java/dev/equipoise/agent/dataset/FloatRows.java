package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.MemorySegment;

/** Samples stored as float32 inputs of the network, one after the other. */
final class FloatRows implements LabeledSamples.Values {
    private final float[] values;
    private final int length;

    private FloatRows(float[] values, int length) {
        this.values = values;
        this.length = length;
    }

    static Dataset of(Shape shape, int classes, float[] values, int[] labels) {
        return new LabeledSamples(shape, classes, labels, new FloatRows(values, shape.size()));
    }

    @Override
    public void addTo(SampleDigest digest, int samples) {
        digest.add(values, samples * length);
    }

    @Override
    public void write(int sample, int from, int count, MemorySegment into, long at) {
        MemorySegment.copy(
                values, sample * length + from, into, JAVA_FLOAT, at * Float.BYTES, count);
    }
}
