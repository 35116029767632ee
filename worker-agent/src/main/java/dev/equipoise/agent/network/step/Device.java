package dev.equipoise.agent.network.step;

import java.util.Locale;

/** Where a backend computes. */
public enum Device {
    /** On the memory of the program. */
    CPU,

    /** On a graphics card, which has memory of its own. */
    CUDA;

    /** As an experiment may ask for it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
