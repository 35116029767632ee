package dev.equipoise.agent.network.step;

/** What computes: the same layers, on one library or another. */
public interface Backend {

    /** For people, for example {@code oneDNN 3.11.0}. */
    String description();

    /** Makes the steps of one program. */
    Compiler compiler();
}
