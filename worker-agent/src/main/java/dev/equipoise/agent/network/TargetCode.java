package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/** Target vectors of the classes for training by squared error. */
public sealed interface TargetCode {

    int classes();

    /** Returns the length of the vectors. */
    int units();

    float at(int label, int unit);

    /** Returns the class whose vector has the smallest angle to the outputs. */
    int nearest(MemorySegment outputs, long from);

    static TargetCode oneHot(int classes) {
        return new OneHot(classes);
    }

    /**
     * Creates a distributed code.
     *
     * @param vectors of the classes, all of one length, none zero; not copied
     */
    static TargetCode of(float[][] vectors) {
        return new Features(vectors);
    }

    /** One-hot code: one unit for each class. */
    record OneHot(int classes) implements TargetCode {

        @Override
        public int units() {
            return classes;
        }

        @Override
        public float at(int label, int unit) {
            return label == unit ? 1 : 0;
        }

        @Override
        public int nearest(MemorySegment outputs, long from) {
            int best = 0;
            for (int unit = 1; unit < classes; unit++) {
                if (outputs.getAtIndex(JAVA_FLOAT, from + unit)
                        > outputs.getAtIndex(JAVA_FLOAT, from + best)) {
                    best = unit;
                }
            }
            return best;
        }
    }

    /** Distributed code: several units for each class, shared between classes. */
    final class Features implements TargetCode {
        private final float[][] vectors;
        private final double[] lengths;

        private Features(float[][] vectors) {
            this.vectors = vectors;
            this.lengths = new double[vectors.length];
            for (int label = 0; label < vectors.length; label++) {
                for (float value : vectors[label]) {
                    lengths[label] += value * value;
                }
                lengths[label] = Math.sqrt(lengths[label]);
            }
        }

        @Override
        public int classes() {
            return vectors.length;
        }

        @Override
        public int units() {
            return vectors[0].length;
        }

        @Override
        public float at(int label, int unit) {
            return vectors[label][unit];
        }

        @Override
        public int nearest(MemorySegment outputs, long from) {
            int best = 0;
            double largest = Double.NEGATIVE_INFINITY;
            for (int label = 0; label < vectors.length; label++) {
                double projection = product(vectors[label], outputs, from) / lengths[label];
                if (projection > largest) {
                    largest = projection;
                    best = label;
                }
            }
            return best;
        }

        private static double product(float[] vector, MemorySegment outputs, long from) {
            double sum = 0;
            for (int unit = 0; unit < vector.length; unit++) {
                sum += vector[unit] * outputs.getAtIndex(JAVA_FLOAT, from + unit);
            }
            return sum;
        }
    }
}
