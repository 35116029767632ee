package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/** Mixes a rank's vector with those of its partners in an exchange, with the loss of the codec. */
@FunctionalInterface
interface Mixer {

    /** Mixes in place; all ranks call it equally often. */
    void mix(MemorySegment vector);
}
