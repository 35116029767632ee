package dev.equipoise.agent.network;

import java.util.Arrays;

/** The vector that each class stands for, as squared error sees it. */
public sealed interface TargetCode {

    int classes();

    /** The length of each vector. */
    int units();

    float at(int label, int unit);

    /** A one at the class's own place. */
    static TargetCode oneHot(int classes) {
        return new OneHot(classes);
    }

    /** A distributed code: row i is the vector of class i. */
    static TargetCode of(float[][] rows) {
        return new Distributed(Arrays.stream(rows).map(float[]::clone).toArray(float[][]::new));
    }

    record OneHot(int classes) implements TargetCode {

        @Override
        public int units() {
            return classes;
        }

        @Override
        public float at(int label, int unit) {
            return label == unit ? 1 : 0;
        }
    }

    /** Not a record, as an array has no value. */
    final class Distributed implements TargetCode {
        private final float[][] rows;

        private Distributed(float[][] rows) {
            this.rows = rows;
        }

        @Override
        public int classes() {
            return rows.length;
        }

        @Override
        public int units() {
            return rows[0].length;
        }

        @Override
        public float at(int label, int unit) {
            return rows[label][unit];
        }
    }
}
