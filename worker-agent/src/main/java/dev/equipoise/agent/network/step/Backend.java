package dev.equipoise.agent.network.step;

import dev.equipoise.agent.optimizer.Descent;
import java.util.Optional;

/** What computes: the same layers, on one library or another. */
public interface Backend {

    /** For people, for example {@code oneDNN 3.11.0}. */
    String description();

    /** Where it computes; the memory of a program is the host's all the same. */
    Device device();

    /** Makes the steps of one program. */
    Compiler compiler();

    /** A plain step of the parameters, where it is faster than a loop; for one thread. */
    Optional<Descent> descent();
}
