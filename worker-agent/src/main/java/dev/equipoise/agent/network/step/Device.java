package dev.equipoise.agent.network.step;

import java.util.Locale;

/** Device on which a backend computes. */
public enum Device {
    /** Processor, which works on the memory of the program. */
    CPU,

    /** Graphics card, which has memory of its own. */
    CUDA;

    /** Returns the value of the worker label {@code device}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
