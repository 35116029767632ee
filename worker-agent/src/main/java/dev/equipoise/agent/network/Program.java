package dev.equipoise.agent.network;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.protocol.network.Architecture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Network compiled for one batch size: steps over memory that is allocated once. */
final class Program implements AutoCloseable {
    private final Arena arena;
    private final Compiler compiler;
    private final Input input;
    private final Step[] steps;
    private final long[] offsets;
    private final Sums sums;
    private final Activation scores;
    private final Prediction prediction;

    /**
     * @param offsets for each step, the first byte of its weights in the flat gradient; -1 without
     *     weights
     */
    private Program(
            Arena arena,
            Compiler compiler,
            Input input,
            Step[] steps,
            long[] offsets,
            Sums sums,
            Activation scores,
            Prediction prediction) {
        this.arena = arena;
        this.compiler = compiler;
        this.input = input;
        this.steps = steps;
        this.offsets = offsets;
        this.sums = sums;
        this.scores = scores;
        this.prediction = prediction;
    }

    /**
     * Output of the last layer with weights.
     *
     * @param steps number of steps up to that output
     */
    record Sums(int steps, MemorySegment values) {}

    static Program compile(
            Architecture architecture,
            Objective objective,
            Backend backend,
            Tensor parameters,
            Tensor gradient,
            SplitMix64 draws,
            int batch) {
        Arena arena = Arena.ofShared();
        Compiler compiler = backend.compiler();
        try {
            Input input = Input.allocate(arena, batch, architecture.input());
            var builder = new ProgramBuilder(arena, compiler, input, parameters, gradient, draws);
            Fusion.of(architecture, compiler.fusesRelu()).forEach(builder::add);
            Prediction prediction = Prediction.of(objective, builder.scores(), compiler);
            return new Program(
                    arena,
                    compiler,
                    input,
                    builder.steps(),
                    builder.offsets(),
                    builder.sums(),
                    builder.scores(),
                    prediction);
        } catch (RuntimeException | OutOfMemoryError e) {
            // Frees memory at once, which may be what was short.
            compiler.close();
            arena.close();
            throw e;
        }
    }

    /** Writes the gradient into the vector of the network, and returns the mean loss. */
    double gradient(Minibatch minibatch, Runnable pause, GradientListener listener) {
        sums(minibatch, pause);
        return gradientOfSums(minibatch, pause, listener);
    }

    /** Computes the output of the last layer with weights, which may be changed before the rest. */
    MemorySegment sums(Minibatch minibatch, Runnable pause) {
        input.load(minibatch);
        forward(0, sums.steps(), pause);
        return sums.values();
    }

    /** Completes {@link #gradient} after {@link #sums} of the same mini-batch. */
    double gradientOfSums(Minibatch minibatch, Runnable pause, GradientListener listener) {
        forward(sums.steps(), steps.length, pause);
        double loss = prediction.gradient(minibatch.labels());
        for (int i = steps.length - 1; i >= 0; i--) {
            steps[i].backward();
            if (offsets[i] >= 0) {
                listener.completeFrom(offsets[i]);
            }
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
        infer(minibatch);
        return prediction.score(minibatch.labels());
    }

    /** Computes the scores, row by row; the next mini-batch overwrites them. */
    MemorySegment scores(Minibatch minibatch) {
        infer(minibatch);
        return scores.value().memory();
    }

    private void infer(Minibatch minibatch) {
        input.load(minibatch);
        for (Step step : steps) {
            step.infer();
        }
    }

    @Override
    public void close() {
        compiler.close();
        arena.close();
    }
}
