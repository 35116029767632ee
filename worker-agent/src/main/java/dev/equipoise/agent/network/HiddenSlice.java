package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.optimizer.Descent;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Stage;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/*
 * docs/algorithms.md, section 8: W is cut by hidden units, which are its columns here, and V by its
 * rows. Of samples X a slice has H_j = sig(X W_j + b_j) and the part H_j V_j of the sums before the
 * outputs. Once the parts of all slices are added up, every slice has O, and with it the
 * derivatives by O and by all of its own weights. The bias of a hidden unit belongs to its slice.
 * The biases of the outputs are added once: they belong to one slice, and stay zero in all others.
 * So the slices together have every parameter of the perceptron once.
 */
/**
 * Part of a perceptron for node parallelism: some hidden units with the weights before and behind
 * them. Parameters and gradient are one vector of native float32 each, as of a perceptron without
 * other hidden units. One thread computes at a time.
 */
public final class HiddenSlice implements AutoCloseable {

    private final Network network;
    private final Stage hidden;
    private final Stage outputs;
    private final Stage ownHidden;
    private final Stage ownOutputs;
    private final int first;
    private final boolean hasOutputBias;

    private HiddenSlice(Network network, Architecture whole, int first, boolean hasOutputBias) {
        List<Stage> stages = learning(whole);
        List<Stage> own = learning(network.architecture());
        this.network = network;
        this.hidden = stages.getFirst();
        this.outputs = stages.getLast();
        this.ownHidden = own.getFirst();
        this.ownOutputs = own.getLast();
        this.first = first;
        this.hasOutputBias = hasOutputBias;
    }

    /**
     * Creates a slice whose parameters are zero.
     *
     * @param whole perceptron with one hidden layer of sigmoids
     * @param first index of the first hidden unit
     * @param units number of hidden units
     * @param hasOutputBias whether the biases of the outputs belong to this slice
     */
    public static HiddenSlice of(
            Architecture whole,
            Objective objective,
            Backend backend,
            int first,
            int units,
            boolean hasOutputBias) {
        int all = whole.sigmoidUnits().orElse(0);
        if (first < 0 || units < 1 || first + units > all) {
            throw new IllegalArgumentException(
                    "%s has %d hidden units: a slice of %d units from %d on is out of range"
                            .formatted(whole.name(), all, units, first));
        }
        Stage hiddenLayer = learning(whole).getFirst();
        List<Layer> layers =
                whole.stages().stream()
                        .map(it -> it.equals(hiddenLayer) ? new Layer.Dense(units) : it.layer())
                        .toList();
        Architecture part = Architecture.of("slice", whole.input(), layers);
        return new HiddenSlice(Network.of(part, objective, backend), whole, first, hasOutputBias);
    }

    private static List<Stage> learning(Architecture architecture) {
        return architecture.stages().stream().filter(it -> it.units() > 0).toList();
    }

    /** Returns the number of hidden units. */
    public int units() {
        return ownHidden.units();
    }

    /** Returns the parameters; the next mini-batch uses what is written here. */
    public MemorySegment parameters() {
        return network.parameters();
    }

    /**
     * Returns the gradient of the last mini-batch, as long as the parameters; the next one
     * overwrites it.
     */
    public MemorySegment gradient() {
        return network.gradient();
    }

    /** Returns the gradient of each layer, without biases that belong to another slice. */
    public List<MemorySegment> gradients() {
        return List.of(
                part(ownHidden, ownHidden.weights() + ownHidden.biases()),
                part(ownOutputs, ownOutputs.weights() + (hasOutputBias ? ownOutputs.biases() : 0)));
    }

    private MemorySegment part(Stage stage, int length) {
        return gradient().asSlice(bytes(stage.offset()), bytes(length));
    }

    /** Returns the backend's own SGD step, if it has one that is faster than a loop. */
    public Optional<Descent> descent() {
        return network.descent();
    }

    /** Copies this slice's parameters from those of the whole network. */
    public void cutFrom(MemorySegment whole) {
        cut(whole, parameters());
    }

    /**
     * Copies this slice's elements of a vector of the whole network.
     *
     * @param whole as long as the parameters of the whole network
     * @param part as long as the parameters of this slice
     */
    public void cut(MemorySegment whole, MemorySegment part) {
        for (int row = 0; row <= hidden.fanIn(); row++) {
            copy(whole, columns(row), part, ownColumns(row), ownHidden.units());
        }
        copy(whole, rows(), part, ownOutputs.offset(), ownOutputs.weights());
        if (hasOutputBias) {
            copy(whole, bias(outputs), part, bias(ownOutputs), outputs.biases());
        }
    }

    /**
     * Copies this slice's parameters into those of the whole network, and leaves all others
     * unchanged.
     */
    public void putInto(MemorySegment whole) {
        put(parameters(), whole);
    }

    /**
     * Copies this slice's elements into a vector of the whole network, and leaves all others
     * unchanged.
     *
     * @param part as long as the parameters of this slice
     * @param whole as long as the parameters of the whole network
     */
    public void put(MemorySegment part, MemorySegment whole) {
        for (int row = 0; row <= hidden.fanIn(); row++) {
            copy(part, ownColumns(row), whole, columns(row), ownHidden.units());
        }
        copy(part, ownOutputs.offset(), whole, rows(), ownOutputs.weights());
        if (hasOutputBias) {
            copy(part, bias(ownOutputs), whole, bias(outputs), outputs.biases());
        }
    }

    /** Returns the offset of a row of W; the row behind the last one holds the biases. */
    private long columns(int row) {
        return hidden.offset() + (long) row * hidden.units() + first;
    }

    private long ownColumns(int row) {
        return ownHidden.offset() + (long) row * ownHidden.units();
    }

    /** Returns the offset of the rows of V. */
    private long rows() {
        return outputs.offset() + (long) first * outputs.units();
    }

    private static long bias(Stage stage) {
        return stage.offset() + (long) stage.weights();
    }

    private static void copy(
            MemorySegment source, long from, MemorySegment target, long to, int length) {
        MemorySegment.copy(source, bytes(from), target, bytes(to), bytes(length));
    }

    private static long bytes(long floats) {
        return JAVA_FLOAT.scale(0, floats);
    }

    /**
     * Computes this slice's part of the sums before the outputs.
     *
     * @param pause is called after each layer's work
     * @return samples by outputs, float32: {@link #gradient(Minibatch, Runnable)} expects the sums
     *     over all slices in this memory; empty without samples
     */
    public MemorySegment sums(Minibatch minibatch, Runnable pause) {
        return network.sums(minibatch, pause);
    }

    /**
     * Overwrites the gradient, once {@link #sums} of the same mini-batch holds the sums over all
     * slices.
     *
     * @return mean loss of a prediction; 0, like the gradient, without samples
     */
    public double gradient(Minibatch minibatch, Runnable pause) {
        double loss = network.gradientOfSums(minibatch, pause);
        if (!hasOutputBias) {
            gradient().asSlice(bytes(bias(ownOutputs)), bytes(ownOutputs.biases())).fill((byte) 0);
        }
        return loss;
    }

    @Override
    public void close() {
        network.close();
    }
}
