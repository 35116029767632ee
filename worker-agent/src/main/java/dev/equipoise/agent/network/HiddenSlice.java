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
 * ALGORITHMS section 8: W is cut by hidden units, which are its columns here, and V by its rows. Of
 * samples X a slice has H_j = sig(X W_j + b_j) and the part H_j V_j of the sums before the outputs.
 * Where all slices' parts are added up every slice has O, and with it the derivative by O, and by
 * all of its own weights. A hidden unit's bias goes with it. The biases of the outputs are added
 * once: they belong to one of the slices, and are zero, and stay so, in all others. So slices have
 * every parameter of the whole perceptron once.
 */
/**
 * Some hidden units of a perceptron, with the weights before and behind them. Parameters and
 * gradient are each one vector of native float32, as of a perceptron with no other hidden units.
 * One thread computes at a time.
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
     * A slice whose parameters are zero.
     *
     * @param whole a perceptron with one hidden layer of sigmoids
     * @param first of its hidden units
     * @param units how many
     * @param hasOutputBias whether the biases of the outputs are in this slice
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
                    "%s has no %d hidden units from %d on".formatted(whole.name(), units, first));
        }
        Stage cut = learning(whole).getFirst();
        List<Layer> layers =
                whole.stages().stream()
                        .map(it -> it.equals(cut) ? new Layer.Dense(units) : it.layer())
                        .toList();
        Architecture part = Architecture.of("slice", whole.input(), layers);
        return new HiddenSlice(Network.of(part, objective, backend), whole, first, hasOutputBias);
    }

    private static List<Stage> learning(Architecture architecture) {
        return architecture.stages().stream().filter(it -> it.units() > 0).toList();
    }

    /** How many hidden units it has. */
    public int units() {
        return ownHidden.units();
    }

    /** What it computes with: what is written here, the next mini-batch uses. */
    public MemorySegment parameters() {
        return network.parameters();
    }

    /** That of the last mini-batch, as long as the parameters; the next one overwrites it. */
    public MemorySegment gradient() {
        return network.gradient();
    }

    /** The gradient by each layer, without the biases that belong to another slice. */
    public List<MemorySegment> gradients() {
        return List.of(
                part(ownHidden, ownHidden.weights() + ownHidden.biases()),
                part(ownOutputs, ownOutputs.weights() + (hasOutputBias ? ownOutputs.biases() : 0)));
    }

    private MemorySegment part(Stage stage, int length) {
        return gradient().asSlice(bytes(stage.offset()), bytes(length));
    }

    /** A plain step of the parameters, where the backend has a faster way than a loop. */
    public Optional<Descent> descent() {
        return network.descent();
    }

    /** Takes its parameters out of those of the whole network. */
    public void cutFrom(MemorySegment whole) {
        for (int row = 0; row <= hidden.fanIn(); row++) {
            copy(whole, columns(row), parameters(), ownColumns(row), ownHidden.units());
        }
        copy(whole, rows(), parameters(), ownOutputs.offset(), ownOutputs.weights());
        if (hasOutputBias) {
            copy(whole, bias(outputs), parameters(), bias(ownOutputs), outputs.biases());
        }
    }

    /** Puts its parameters into those of the whole network, and leaves all others as they are. */
    public void putInto(MemorySegment whole) {
        for (int row = 0; row <= hidden.fanIn(); row++) {
            copy(parameters(), ownColumns(row), whole, columns(row), ownHidden.units());
        }
        copy(parameters(), ownOutputs.offset(), whole, rows(), ownOutputs.weights());
        if (hasOutputBias) {
            copy(parameters(), bias(ownOutputs), whole, bias(outputs), outputs.biases());
        }
    }

    /** Of a row of W; that behind the last one is the biases. */
    private long columns(int row) {
        return hidden.offset() + (long) row * hidden.units() + first;
    }

    private long ownColumns(int row) {
        return ownHidden.offset() + (long) row * ownHidden.units();
    }

    /** Of V. */
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
     * This slice's part of the sums before the outputs.
     *
     * @param pause is called after each layer's work
     * @return samples by outputs, float32: the room in which {@link #gradient(Minibatch, Runnable)}
     *     looks for the sums over all slices; empty of no samples
     */
    public MemorySegment sums(Minibatch minibatch, Runnable pause) {
        return network.sums(minibatch, pause);
    }

    /**
     * Overwrites the gradient, once the sums of the same mini-batch are those over all slices.
     *
     * @return the mean loss of a prediction; 0, as the gradient, where there are no samples
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
