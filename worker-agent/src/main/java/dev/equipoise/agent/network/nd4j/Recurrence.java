package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.network.step.Weights;
import java.lang.foreign.Arena;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/*
 * The matrix products that all recurrent layers share. Those with the inputs, and all gradients of
 * the weights, are one product over all positions; those with the states are one a position.
 */
final class Recurrence {
    private final int length;
    private final int stateSize;
    private final Activation output;
    private final Tensor sums;
    private final Tensor sumGradients;
    private final Tensor stateSums;
    private final Tensor stateGradient;
    private final Runnable multiplyInputs;
    private final Runnable addBias;
    private final Runnable[] multiplyState;
    private final Runnable[] stateGradients;
    private final Runnable inputWeightGradient;
    private final @Nullable Runnable stateWeightGradient;
    private final Runnable inputGradient;
    private final ColumnSums biasGradient;
    private final Tensor stateWeightGradients;

    Recurrence(Binding binding, Operations operations) {
        Arena arena = binding.arena();
        Weights weights = binding.weights();
        Activation in = binding.input();
        this.output = binding.output();
        int batch = in.batch();
        int features = weights.stage().features();
        int columns = weights.stage().units();
        int units = output.columns();
        this.length = in.rows() / batch;
        this.stateSize = batch * units;
        this.sums = Tensor.zeros(arena, in.rows(), columns);
        this.sumGradients = Tensor.zeros(arena, in.rows(), columns);
        this.stateSums = Tensor.zeros(arena, batch, columns);
        this.stateGradient = Tensor.zeros(arena, batch, units);
        Tensor source = in.value().reshape(in.rows(), features);
        Tensor inputWeights = weights.rows(0, features);
        Tensor stateWeights = weights.rows(features, units);
        this.multiplyInputs = operations.multiply(source, inputWeights, sums);
        this.addBias = operations.addBias(sums, weights.bias());
        this.multiplyState =
                IntStream.range(0, length)
                        .mapToObj(t ->
                                operations.multiply(
                                        rows(output.value(), t, batch, units),
                                        stateWeights,
                                        stateSums))
                        .toArray(Runnable[]::new);
        this.stateGradients =
                IntStream.range(0, length)
                        .mapToObj(t ->
                                operations.multiplyRightTransposed(
                                        rows(sumGradients, t, batch, columns),
                                        stateWeights,
                                        stateGradient))
                        .toArray(Runnable[]::new);
        this.inputWeightGradient =
                operations.multiplyLeftTransposed(
                        source, sumGradients, weights.rowsOfGradient(0, features));
        this.stateWeightGradients = weights.rowsOfGradient(features, units);
        int later = in.rows() - batch;
        this.stateWeightGradient =
                later == 0
                        ? null
                        : operations.multiplyLeftTransposed(
                                output.value().view(0, later, units),
                                sumGradients.view((long) batch * columns, later, columns),
                                stateWeightGradients);
        Tensor wanted = in.gradient();
        this.inputGradient =
                wanted == null
                        ? () -> {}
                        : operations.multiplyRightTransposed(
                                sumGradients, inputWeights, wanted.reshape(in.rows(), features));
        this.biasGradient = new ColumnSums(sumGradients, weights.biasGradient());
    }

    private static Tensor rows(Tensor tensor, int position, int batch, int columns) {
        return tensor.view((long) position * batch * columns, batch, columns);
    }

    /** Positions of a sequence. */
    int length() {
        return length;
    }

    /** Units of all samples at one position. */
    int stateSize() {
        return stateSize;
    }

    /** What the layer makes of its inputs before it squashes it: positions, samples, columns. */
    Tensor sums() {
        return sums;
    }

    Tensor sumGradients() {
        return sumGradients;
    }

    /** The layer's output. */
    Tensor states() {
        return output.value();
    }

    void multiplyInputs() {
        multiplyInputs.run();
        addBias.run();
    }

    /** Adds what the state before a position contributes to its sums. */
    void addState(int position) {
        if (position == 0) {
            return;
        }
        multiplyState[position - 1].run();
        Floats from = Floats.of(stateSums);
        Floats to = Floats.of(sums);
        int count = stateSums.length();
        for (int i = 0; i < count; i++) {
            to.add(position * count + i, from.get(i));
        }
    }

    /** The gradient by a position's state: from the output, and from the position after it. */
    Floats stateGradients(int position) {
        Floats total = Floats.of(stateGradient);
        Floats direct = Floats.of(output.wantedGradient());
        if (position == length - 1) {
            total.clear();
        } else {
            stateGradients[position + 1].run();
        }
        for (int i = 0; i < stateSize; i++) {
            total.add(i, direct.get(position * stateSize + i));
        }
        return total;
    }

    /** The gradients by weights and inputs, once those by all sums are known. */
    void multiplyGradients() {
        inputWeightGradient.run();
        biasGradient.run();
        inputGradient.run();
        if (stateWeightGradient == null) {
            stateWeightGradients.memory().fill((byte) 0);
        } else {
            stateWeightGradient.run();
        }
    }
}
