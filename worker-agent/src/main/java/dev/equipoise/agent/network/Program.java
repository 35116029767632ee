package dev.equipoise.agent.network;

import dev.equipoise.agent.network.Layer.Convolution;
import dev.equipoise.agent.network.Layer.Dense;
import dev.equipoise.agent.network.Layer.MaxPool;
import dev.equipoise.agent.network.Layer.Relu;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A network compiled for one batch size: steps over memory that is allocated once. */
final class Program implements AutoCloseable {
    private final Arena arena;
    private final MemorySegment samples;
    private final List<Step> forward;
    private final List<Step> backward;
    private final SoftmaxCrossEntropy loss;

    private Program(
            Arena arena, MemorySegment samples, List<Step> steps, SoftmaxCrossEntropy loss) {
        this.arena = arena;
        this.samples = samples;
        this.forward = List.copyOf(steps);
        this.backward = List.copyOf(steps.reversed());
        this.loss = loss;
    }

    static Program compile(
            Architecture architecture, Tensor parameters, Tensor gradient, int batch) {
        Arena arena = Arena.ofShared();
        Activation samples = Activation.allocate(arena, batch, architecture.input());
        Activation last = samples;
        List<Step> steps = new ArrayList<>();
        for (Stage stage : architecture.poolingBeforeRelu().stages()) {
            Weights weights = new Weights(stage, parameters, gradient);
            Activation in = last;
            last =
                    stage.layer() instanceof Relu
                            ? in
                            : Activation.allocate(arena, batch, stage.output());
            steps.add(step(arena, weights, in, last, steps.isEmpty()));
        }
        return new Program(
                arena,
                samples.value().memory(),
                steps,
                new SoftmaxCrossEntropy(last, architecture.classes()));
    }

    private static Step step(
            Arena arena, Weights weights, Activation in, Activation out, boolean first) {
        return switch (weights.stage().layer()) {
            case Convolution layer when first ->
                    new FirstConvolutionStep(arena, layer, weights, in, out);
            case Convolution layer -> new ConvolutionStep(arena, layer, weights, in, out);
            case Dense _ -> new DenseStep(weights, in, out, first);
            case MaxPool layer -> MaxPoolStep.of(layer, in, out);
            case Relu _ -> ReluStep.of(out);
        };
    }

    double gradient(Minibatch minibatch, Runnable pause) {
        runForward(minibatch, pause);
        double mean = loss.gradient(minibatch);
        for (Step step : backward) {
            step.backward();
            pause.run();
        }
        return mean;
    }

    int correct(Minibatch minibatch) {
        runForward(minibatch, () -> {});
        return loss.correct(minibatch);
    }

    @Override
    public void close() {
        arena.close();
    }

    private void runForward(Minibatch minibatch, Runnable pause) {
        MemorySegment.copy(minibatch.values(), 0, samples, 0, samples.byteSize());
        for (Step step : forward) {
            step.forward();
            pause.run();
        }
    }
}
