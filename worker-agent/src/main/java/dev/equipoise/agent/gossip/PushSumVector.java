package dev.equipoise.agent.gossip;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.collective.FloatScale;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/*
 * Kempe, Dobra and Gehrke, Gossip-based computation of aggregate information (FOCS 2003). The mass
 * omega is mixed like the values, as one more element; the estimate z = x / omega is exact as soon
 * as both have spread evenly. The sums over all ranks of x and of omega never change, up to
 * rounding.
 */
/**
 * Push-sum vector: float32 values followed by their mass, which {@link Mixing.PushSum} moves
 * together (docs/algorithms.md, section 2.4).
 */
public final class PushSumVector {

    private final long elements;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment all;
    private final MemorySegment weighted;

    public PushSumVector(long elements, Arena memory) {
        this.elements = elements;
        this.all = memory.allocate(JAVA_FLOAT, elements + 1);
        this.weighted = all.asSlice(0, elements * Float.BYTES);
    }

    /**
     * Initializes the vector to {@code x = mass * values}.
     *
     * @param mass P n_i / sum n for a mean weighted by samples, so that all masses sum to P; 1 for
     *     the plain mean, and in training, where gradients are scaled instead
     */
    public void begin(MemorySegment values, float mass) {
        requireLength(values);
        if (!(mass >= 0) || Float.isInfinite(mass)) {
            throw new IllegalArgumentException(
                    "the mass must be finite and not negative, but was " + mass);
        }
        scale.scale(values, mass, weighted);
        all.setAtIndex(JAVA_FLOAT, elements, mass);
    }

    /**
     * Runs one exchange of values and mass.
     *
     * @param neighbors the exchange with {@link Mixing.PushSum}, for vectors of one more element
     * @return the mixing row
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost and the channel does
     *     not tolerate losses; the vector is then unchanged, but the sum over all ranks may not be
     */
    public MixingRow mix(NeighborExchange neighbors, long exchange) {
        return neighbors.mix(all, exchange);
    }

    /** Values and mass, as they are sent. A copy suffices to continue. */
    public MemorySegment all() {
        return all;
    }

    /** The values times the mass, from which a training step subtracts. */
    public MemorySegment weighted() {
        return weighted;
    }

    public float mass() {
        return all.getAtIndex(JAVA_FLOAT, elements);
    }

    /**
     * Writes the estimate: the values divided by the mass, at which gradients are computed. NaN
     * while the mass is zero.
     */
    public void estimate(MemorySegment target) {
        requireLength(target);
        scale.scale(weighted, 1 / mass(), target);
    }

    private void requireLength(MemorySegment vector) {
        if (vector.byteSize() != weighted.byteSize()) {
            throw new IllegalArgumentException(
                    "the vector must have %d bytes, but has %d"
                            .formatted(weighted.byteSize(), vector.byteSize()));
        }
    }
}
