package dev.equipoise.agent.gossip;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.collective.FloatScale;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/*
 * Kempe, Dobra and Gehrke, Gossip-based computation of aggregate information (FOCS 2003). The mass
 * omega is mixed like the values, of which it is one more; the estimate z = x / omega is exact as
 * soon as both have spread alike. Sums over all ranks of x and of omega never change, but for
 * rounding.
 */
/** A vector of float32 with its mass behind it, which {@link Mixing.PushSum} moves together. */
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
     * Begins with {@code x = mass * values}.
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
     * Gives and takes values and mass together.
     *
     * @param neighbours of {@link Mixing.PushSum}, for one element more
     * @return what was mixed
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost, and that is not borne;
     *     the vector is then as it was, but the sum over all ranks need not be
     */
    public Mixture mix(NeighbourExchange neighbours, long exchange) {
        return neighbours.mix(all, exchange);
    }

    /** Both, as they travel: whoever takes a copy can go on from there. */
    public MemorySegment all() {
        return all;
    }

    /** The values times the mass: what a step of training is taken from. */
    public MemorySegment weighted() {
        return weighted;
    }

    public float mass() {
        return all.getAtIndex(JAVA_FLOAT, elements);
    }

    /**
     * Writes the values without their mass: where gradients are computed. NaN while it has none.
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
