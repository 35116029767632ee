package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/** Mixes a rank's vector with those of its partners in an exchange, with the loss of the codec. */
@FunctionalInterface
interface Mixer {

    /**
     * Mixes in place; all ranks call it equally often.
     *
     * @param gradientScale factor by which the vector holds a gradient of the replica's own loss,
     *     at least 0; a fixed threshold refers to that gradient
     */
    void mix(MemorySegment vector, double gradientScale);
}
