package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Weights;
import java.lang.foreign.MemorySegment;

/** Embedding layer: copies the row of each word, and adds its gradient to that row's gradient. */
final class EmbeddingStep implements Step {
    private final Input.Words words;
    private final int features;
    private final MemorySegment rows;
    private final MemorySegment rowGradients;
    private final MemorySegment values;
    private final MemorySegment gradients;

    EmbeddingStep(Weights weights, Input.Words words, Activation output) {
        this.words = words;
        this.features = weights.stage().units();
        this.rows = weights.matrix().memory();
        this.rowGradients = weights.matrixGradient().memory();
        this.values = output.value().memory();
        this.gradients = output.wantedGradient().memory();
    }

    @Override
    public void forward() {
        for (int i = 0; i < words.count(); i++) {
            long row = (long) words.word(i) * features;
            MemorySegment.copy(
                    rows, JAVA_FLOAT, 4 * row, values, JAVA_FLOAT, 4L * i * features, features);
        }
    }

    @Override
    public void backward() {
        rowGradients.fill((byte) 0);
        for (int i = 0; i < words.count(); i++) {
            add(gradients.asSlice(4L * i * features), words.word(i));
        }
    }

    private void add(MemorySegment gradient, int word) {
        MemorySegment row = rowGradients.asSlice(4L * word * features, 4L * features);
        for (int i = 0; i < features; i++) {
            float sum = row.getAtIndex(JAVA_FLOAT, i) + gradient.getAtIndex(JAVA_FLOAT, i);
            row.setAtIndex(JAVA_FLOAT, i, sum);
        }
    }
}
