package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.protocol.network.Shape.Sequence;
import java.lang.foreign.MemorySegment;

/** Places the positions of each sample of a sequence side by side. */
final class FlattenStep implements Step {
    private final int length;
    private final int features;
    private final Activation input;
    private final Activation output;

    FlattenStep(Sequence sequence, Activation input, Activation output) {
        this.length = sequence.length();
        this.features = sequence.features();
        this.input = input;
        this.output = output;
    }

    @Override
    public void forward() {
        for (int sample = 0; sample < input.batch(); sample++) {
            for (int position = 0; position < length; position++) {
                copy(
                        input.value(),
                        inSequence(sample, position),
                        output.value(),
                        inVector(sample, position));
            }
        }
    }

    @Override
    public void backward() {
        Tensor gradient = input.gradient();
        if (gradient == null) {
            return;
        }
        for (int sample = 0; sample < input.batch(); sample++) {
            for (int position = 0; position < length; position++) {
                copy(
                        output.wantedGradient(),
                        inVector(sample, position),
                        gradient,
                        inSequence(sample, position));
            }
        }
    }

    private void copy(Tensor from, long start, Tensor to, long end) {
        MemorySegment.copy(
                from.memory(), JAVA_FLOAT, start, to.memory(), JAVA_FLOAT, end, features);
    }

    private long inSequence(int sample, int position) {
        return 4L * features * (position * input.batch() + sample);
    }

    private long inVector(int sample, int position) {
        return 4L * features * (sample * length + position);
    }
}
