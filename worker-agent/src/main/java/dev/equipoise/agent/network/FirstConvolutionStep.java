package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Layer.Convolution;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/*
 * The convolution of the samples themselves, whose gradient nobody asks for, as a matrix product:
 * every tap of the filter (height, width, channel) is a row that holds what the tap sees at each
 * place of the output. A last row of ones carries the bias, which follows the weights in the flat
 * vector, so that one product yields the output and another both gradients. With one channel, lines
 * of the image are copied as they are.
 */
final class FirstConvolutionStep implements Step {
    private final Shape in;
    private final Shape out;
    private final int kernel;
    private final int batch;
    private final MemorySegment samples;
    private final MemorySegment taps;
    private final Runnable multiply;
    private final Runnable weightAndBiasGradient;

    FirstConvolutionStep(
            Arena arena, Convolution layer, Weights weights, Activation input, Activation output) {
        Stage stage = weights.stage();
        this.in = stage.input();
        this.out = stage.output();
        this.kernel = layer.kernel();
        this.batch = input.batch();
        this.samples = input.value().memory();
        int places = batch * out.height() * out.width();
        Tensor matrix = Tensor.zeros(arena, stage.fanIn() + 1, places);
        matrix.view((long) stage.fanIn() * places, places).array().assign(1);
        this.taps = matrix.memory();
        Activation rows = output.matrix(places, layer.filters());
        this.multiply =
                Operations.multiplyLeftTransposed(matrix, weights.weightsAndBias(), rows.value());
        this.weightAndBiasGradient =
                Operations.multiply(matrix, rows.gradient(), weights.weightAndBiasGradient());
    }

    @Override
    public void forward() {
        gather();
        multiply.run();
    }

    @Override
    public void backward() {
        weightAndBiasGradient.run();
    }

    private void gather() {
        long at = 0;
        for (int y = 0; y < kernel; y++) {
            for (int x = 0; x < kernel; x++) {
                for (int channel = 0; channel < in.channels(); channel++) {
                    at = gatherTap(y, x, channel, at);
                }
            }
        }
    }

    private long gatherTap(int y, int x, int channel, long start) {
        long at = start;
        for (int sample = 0; sample < batch; sample++) {
            for (int row = 0; row < out.height(); row++) {
                gatherLine(in.offset(sample, row + y, x) + channel, at);
                at += out.width();
            }
        }
        return at;
    }

    private void gatherLine(long from, long at) {
        if (in.channels() == 1) {
            MemorySegment.copy(
                    samples, JAVA_FLOAT, 4 * from, taps, JAVA_FLOAT, 4 * at, out.width());
            return;
        }
        for (int column = 0; column < out.width(); column++) {
            long seen = from + (long) column * in.channels();
            taps.setAtIndex(JAVA_FLOAT, at + column, samples.getAtIndex(JAVA_FLOAT, seen));
        }
    }
}
