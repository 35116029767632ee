package dev.equipoise.agent.network;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.protocol.network.Architecture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A network compiled for one batch size: steps over memory that is allocated once. */
final class Program implements AutoCloseable {
    private final Arena arena;
    private final Compiler compiler;
    private final Input input;
    private final Step[] steps;
    private final Sums sums;
    private final Prediction prediction;

    private Program(
            Arena arena,
            Compiler compiler,
            Input input,
            Step[] steps,
            Sums sums,
            Prediction prediction) {
        this.arena = arena;
        this.compiler = compiler;
        this.input = input;
        this.steps = steps;
        this.sums = sums;
        this.prediction = prediction;
    }

    /**
     * What the last layer with weights makes.
     *
     * @param steps until it is made
     */
    record Sums(int steps, MemorySegment values) {}

    static Program compile(
            Architecture architecture,
            Objective objective,
            Backend backend,
            Tensor parameters,
            Tensor gradient,
            Draws draws,
            int batch) {
        Arena arena = Arena.ofShared();
        Compiler compiler = backend.compiler();
        try {
            Input input = Input.allocate(arena, batch, architecture.input());
            var assembly = new Assembly(arena, compiler, input, parameters, gradient, draws);
            Fusion.of(architecture, compiler.fusesRelu()).forEach(assembly::add);
            Prediction prediction = Prediction.of(objective, assembly.scores(), compiler);
            return new Program(
                    arena, compiler, input, assembly.steps(), assembly.sums(), prediction);
        } catch (RuntimeException | OutOfMemoryError e) {
            // Memory that was short is given back at once.
            compiler.close();
            arena.close();
            throw e;
        }
    }

    /** The mean loss; the gradient is where the program was told to put it. */
    double gradient(Minibatch minibatch, Runnable pause) {
        sums(minibatch, pause);
        return gradientOfSums(minibatch, pause);
    }

    /** What the last layer with weights makes, which may be changed before the rest is done. */
    MemorySegment sums(Minibatch minibatch, Runnable pause) {
        input.load(minibatch);
        forward(0, sums.steps(), pause);
        return sums.values();
    }

    /** The rest of {@link #gradient}, after {@link #sums} of the same mini-batch. */
    double gradientOfSums(Minibatch minibatch, Runnable pause) {
        forward(sums.steps(), steps.length, pause);
        double loss = prediction.gradient(minibatch.labels());
        for (int i = steps.length - 1; i >= 0; i--) {
            steps[i].backward();
            pause.run();
        }
        return loss;
    }

    private void forward(int from, int to, Runnable pause) {
        for (int i = from; i < to; i++) {
            steps[i].forward();
            pause.run();
        }
    }

    Score score(Minibatch minibatch) {
        input.load(minibatch);
        for (Step step : steps) {
            step.infer();
        }
        return prediction.score(minibatch.labels());
    }

    @Override
    public void close() {
        compiler.close();
        arena.close();
    }
}
