package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.network.step.Weights;
import java.lang.foreign.Arena;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/*
 * Matrix products of all recurrent layers. The products with the inputs, and all gradients of the
 * weights, are one product over all positions; the products with the states are one for each
 * position.
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
                eachPosition(t ->
                        operations.multiply(
                                rows(output.value(), t, batch, units), stateWeights, stateSums));
        this.stateGradients =
                eachPosition(t ->
                        operations.multiplyRightTransposed(
                                rows(sumGradients, t, batch, columns),
                                stateWeights,
                                stateGradient));
        this.inputWeightGradient =
                operations.multiplyLeftTransposed(
                        source, sumGradients, weights.rowsOfGradient(0, features));
        this.stateWeightGradients = weights.rowsOfGradient(features, units);
        this.stateWeightGradient =
                stateWeightGradient(operations, in.rows() - batch, batch, columns);
        this.inputGradient = inputGradient(operations, in, inputWeights, features);
        this.biasGradient = new ColumnSums(sumGradients, weights.biasGradient());
    }

    private Runnable[] eachPosition(IntFunction<Runnable> product) {
        return IntStream.range(0, length).mapToObj(product).toArray(Runnable[]::new);
    }

    /** Returns the product of all states but the last with the sums after them; null if none. */
    private @Nullable Runnable stateWeightGradient(
            Operations operations, int rowsAfterFirst, int batch, int columns) {
        return rowsAfterFirst == 0
                ? null
                : operations.multiplyLeftTransposed(
                        output.value().view(0, rowsAfterFirst, output.columns()),
                        sumGradients.view((long) batch * columns, rowsAfterFirst, columns),
                        stateWeightGradients);
    }

    private Runnable inputGradient(
            Operations operations, Activation in, Tensor inputWeights, int features) {
        Tensor gradient = in.gradient();
        return gradient == null
                ? () -> {}
                : operations.multiplyRightTransposed(
                        sumGradients, inputWeights, gradient.reshape(in.rows(), features));
    }

    private static Tensor rows(Tensor tensor, int position, int batch, int columns) {
        return tensor.view((long) position * batch * columns, batch, columns);
    }

    /** Returns the number of positions of a sequence. */
    int length() {
        return length;
    }

    /** Returns the number of units of all samples at one position. */
    int stateSize() {
        return stateSize;
    }

    /** Returns the sums before the activation function: positions, samples, columns. */
    Tensor sums() {
        return sums;
    }

    Tensor sumGradients() {
        return sumGradients;
    }

    /** Returns the layer's output. */
    Tensor states() {
        return output.value();
    }

    void multiplyInputs() {
        multiplyInputs.run();
        addBias.run();
    }

    /** Adds the contribution of the state before a position to its sums. */
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

    /** Returns the gradient by a position's state: from the output and from the next position. */
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

    /** Computes the gradients by weights and inputs, once those by all sums are known. */
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
