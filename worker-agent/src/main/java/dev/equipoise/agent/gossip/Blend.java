package dev.equipoise.agent.gossip;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.gossip.Mixture.Part;
import java.lang.foreign.MemorySegment;
import java.util.List;

/*
 * Computed as x + sum of w (y - x), not as own x + sum of w y: three times the third of float32 is
 * not 1, by which ranks that agree would grow a little at every exchange. Like this they keep their
 * bits. Through arrays in the first-level cache, since the just-in-time compiler does not vectorise
 * loops over native segments, which might overlap.
 */
/** Mixes vectors of float32 into one. */
final class Blend {

    private static final int BLOCK = 1024;
    private static final long BLOCK_BYTES = (long) BLOCK * Float.BYTES;

    private final float[] own = new float[BLOCK];
    private final float[] other = new float[BLOCK];
    private final float[] mixed = new float[BLOCK];

    /**
     * Offset and length in bytes, of {@code target} and {@code vector}.
     *
     * @param others one for each part of the mixture, each from its own start
     */
    void mix(
            MemorySegment target,
            MemorySegment vector,
            long at,
            long bytes,
            Mixture mixture,
            MemorySegment[] others) {
        List<Part> parts = mixture.parts();
        float excess = (float) mixture.excess();
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
