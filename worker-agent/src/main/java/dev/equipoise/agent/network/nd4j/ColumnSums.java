package dev.equipoise.agent.network.nd4j;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Gradient of a bias: the sum of the rows to which it was added. */
final class ColumnSums {
    private final Floats rows;
    private final MemorySegment out;
    private final int count;
    private final float[] sums;

    ColumnSums(Tensor rows, Tensor out) {
        this.rows = Floats.of(rows);
        this.out = out.memory();
        this.count = rows.length() / out.length();
        this.sums = new float[out.length()];
    }

    void run() {
        Arrays.fill(sums, 0);
        for (int row = 0; row < count; row++) {
            int start = row * sums.length;
            for (int column = 0; column < sums.length; column++) {
                sums[column] += rows.get(start + column);
            }
        }
        MemorySegment.copy(sums, 0, out, JAVA_FLOAT, 0, sums.length);
    }
}
