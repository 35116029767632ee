package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The gradient of a bias: the sum of the rows that it was added to. */
final class ColumnSums {
    private final MemorySegment rows;
    private final MemorySegment out;
    private final long count;
    private final float[] sums;

    ColumnSums(Tensor rows, Tensor out) {
        this.rows = rows.memory();
        this.out = out.memory();
        this.count = rows.length() / out.length();
        this.sums = new float[out.length()];
    }

    void run() {
        Arrays.fill(sums, 0);
        for (long row = 0; row < count; row++) {
            long start = row * sums.length;
            for (int column = 0; column < sums.length; column++) {
                sums[column] += rows.getAtIndex(JAVA_FLOAT, start + column);
            }
        }
        MemorySegment.copy(sums, 0, out, JAVA_FLOAT, 0, sums.length);
    }
}
