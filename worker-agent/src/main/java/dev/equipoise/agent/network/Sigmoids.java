package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.network.step.Weights;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Stage;
import java.lang.foreign.Arena;

/** Speed probe: repeats the sigmoids of a hidden layer on the same memory. */
public final class Sigmoids implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final Activation output;
    private final Compiler compiler;
    private final Step step;

    /**
     * @param units sigmoids of a sample
     */
    public Sigmoids(int samples, int units, Backend backend) {
        var shape = new Shape.Vector(units);
        Activation input = Activation.samples(arena, samples, shape);
        input.value().fill(1);
        this.output = Activation.samples(arena, samples, shape);
        this.compiler = backend.compiler();
        Tensor none = Tensor.zeros(arena, 0);
        var weights = new Weights(new Stage(0, new Layer.Sigmoid(), shape, shape, 0), none, none);
        this.step = compiler.step(new Binding(arena, weights, input, output, false));
    }

    public void run() {
        step.forward();
    }

    /** Returns one result; each is the sigmoid of 1. */
    float result() {
        return output.value().memory().getAtIndex(JAVA_FLOAT, output.value().length() - 1L);
    }

    @Override
    public void close() {
        compiler.close();
        arena.close();
    }
}
