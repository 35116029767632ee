package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.optimizer.Descent;
import java.util.Optional;

/** Computes with ND4J's own operations. */
public record Nd4jBackend() implements Backend {

    @Override
    public String description() {
        return "ND4J's own operations";
    }

    @Override
    public Compiler compiler() {
        return new Nd4jCompiler();
    }

    @Override
    public Optional<Descent> descent() {
        return Optional.empty();
    }
}
