package dev.equipoise.agent.gossip;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.gossip.MixingRow.Part;
import java.lang.foreign.MemorySegment;
import java.util.List;

/*
 * Computes x + sum of w (y - x) instead of own x + sum of w y: three times the float32 third is not
 * 1, so equal vectors would grow a little at every exchange. In this form they keep their bits.
 * Copies through arrays in the first-level cache, since the just-in-time compiler does not
 * vectorize loops over native segments, which might overlap.
 */
/** Mixes float32 vectors by the weights of a mixing row. */
final class VectorMixer {

    private static final int BLOCK = 1024;
    private static final long BLOCK_BYTES = (long) BLOCK * Float.BYTES;

    private final float[] own = new float[BLOCK];
    private final float[] other = new float[BLOCK];
    private final float[] mixed = new float[BLOCK];

    /**
     * Writes a mixed range of {@code vector} to {@code target}.
     *
     * @param at offset of the range in {@code target} and {@code vector}, in bytes
     * @param bytes length of the range
     * @param row the weights
     * @param others one vector for each part of the row, each read from its own beginning
     */
    void mix(
            MemorySegment target,
            MemorySegment vector,
            long at,
            long bytes,
            MixingRow row,
            MemorySegment[] others) {
        List<Part> parts = row.parts();
        float excess = (float) row.excess();
        for (long start = 0; start < bytes; start += BLOCK_BYTES) {
            int count = (int) (Math.min(BLOCK_BYTES, bytes - start) / Float.BYTES);
            MemorySegment.copy(vector, JAVA_FLOAT, at + start, own, 0, count);
            System.arraycopy(own, 0, mixed, 0, count);
            for (int i = 0; i < parts.size(); i++) {
                MemorySegment.copy(others[i], JAVA_FLOAT, start, other, 0, count);
                add((float) parts.get(i).weight(), count);
            }
            if (excess != 0) {
                addOwn(excess, count);
            }
            MemorySegment.copy(mixed, 0, target, JAVA_FLOAT, at + start, count);
        }
    }

    private void addOwn(float weight, int count) {
        for (int i = 0; i < count; i++) {
            mixed[i] += weight * own[i];
        }
    }

    private void add(float weight, int count) {
        for (int i = 0; i < count; i++) {
            mixed[i] += weight * (other[i] - own[i]);
        }
    }
}
