package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/**
 * Mixes a rank's vector with those of its partners of this exchange, as exactly as the codec has
 * it.
 */
@FunctionalInterface
interface Mixer {

    /** In place; all ranks call it equally often. */
    void mix(MemorySegment vector);
}
