package dev.equipoise.agent.network.step;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Numeric library behind a backend, as the user of an agent names it. */
public enum BackendKind {
    /** Primitives of oneDNN. */
    ONEDNN,

    /** ND4J's own operations. */
    ND4J;

    /** Returns the kind with this label; empty if there is none. */
    public static Optional<BackendKind> labeled(String label) {
        return Stream.of(values()).filter(it -> it.label().equals(label)).findFirst();
    }

    /** Returns the value of the worker label {@code backend} and of the option. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
