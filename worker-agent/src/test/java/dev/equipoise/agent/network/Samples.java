package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Labelled noise, and the same in the oracle's terms. */
final class Samples {
    private Samples() {}

    static Minibatch noise(Architecture architecture, int size, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Minibatch minibatch = new Minibatch(architecture.input().ofProtocol(), 1, size);
        minibatch.resize(size);
        for (int i = 0; i < size * architecture.input().size(); i++) {
            minibatch.values().setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble());
        }
        for (int i = 0; i < size; i++) {
            minibatch.label(i, 0, random.nextInt(architecture.classes()));
        }
        return minibatch;
    }

    static Minibatch part(Minibatch whole, int from, int size) {
        Minibatch part = new Minibatch(whole.shape(), 1, size);
        part.resize(size);
        long image = 4L * whole.shape().size();
        MemorySegment.copy(whole.values(), from * image, part.values(), 0, size * image);
        for (int i = 0; i < size; i++) {
            part.label(i, 0, whole.labels()[from + i]);
        }
        return part;
    }

    static double[] image(Minibatch minibatch, int sample) {
        int length = minibatch.shape().size();
        return doubles(minibatch.values().asSlice(4L * sample * length, 4L * length));
    }

    static double[] doubles(MemorySegment floats) {
        double[] values = new double[Math.toIntExact(floats.byteSize() / 4)];
        for (int i = 0; i < values.length; i++) {
            values[i] = floats.getAtIndex(JAVA_FLOAT, i);
        }
        return values;
    }
}
