package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Labeled noise, also in the form of the oracle. */
public final class Samples {
    private Samples() {}

    public static Minibatch noise(Architecture architecture, int classes, int size, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Minibatch minibatch =
                new Minibatch(architecture.input(), architecture.positions(), size, Arena.ofAuto());
        minibatch.resize(size);
        for (int i = 0; i < minibatch.values().byteSize() / 4; i++) {
            minibatch.values().setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble());
        }
        if (architecture.input() instanceof Tokens tokens) {
            Arrays.setAll(minibatch.tokens(), _ -> random.nextInt(tokens.vocabulary()));
        }
        Arrays.setAll(minibatch.labels(), _ -> random.nextInt(classes));
        return minibatch;
    }

    static Minibatch noise(Architecture architecture, int size, long seed) {
        return noise(architecture, architecture.scores(), size, seed);
    }

    static Minibatch part(Minibatch whole, int from, int size) {
        Minibatch part = new Minibatch(whole.shape(), whole.positions(), size, Arena.ofAuto());
        part.resize(size);
        long sample = 4L * whole.shape().size();
        MemorySegment.copy(whole.values(), from * sample, part.values(), 0, size * sample);
        for (int i = 0; i < size; i++) {
            part.label(i, 0, whole.labels()[from + i]);
        }
        return part;
    }

    /** Returns values or words of a sample. */
    static double[] sample(Minibatch minibatch, int index) {
        int length = minibatch.shape().size();
        return minibatch.shape() instanceof Tokens
                ? IntStream.range(0, length)
                        .mapToDouble(t -> minibatch.tokens()[t * minibatch.size() + index])
                        .toArray()
                : doubles(minibatch.values().asSlice(4L * index * length, 4L * length));
    }

    static int[] labels(Minibatch minibatch, int index) {
        return IntStream.range(0, minibatch.positions())
                .map(t -> minibatch.labels()[t * minibatch.size() + index])
                .toArray();
    }

    static double[] doubles(MemorySegment floats) {
        double[] values = new double[Math.toIntExact(floats.byteSize() / 4)];
        for (int i = 0; i < values.length; i++) {
            values[i] = floats.getAtIndex(JAVA_FLOAT, i);
        }
        return values;
    }
}
