package dev.equipoise.agent.network;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.optimizer.Descent;
import dev.equipoise.protocol.network.Architecture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Neural network with its flat parameter vector and the gradient of its last mini-batch, both
 * native float32. One thread computes; others may read and write the two vectors between its calls,
 * and read the part of the gradient that a {@link GradientListener} was told of. {@link #close()}
 * frees both.
 */
public final class Network implements AutoCloseable {
    private final Architecture architecture;
    private final Objective objective;
    private final Backend backend;
    private final Arena arena = Arena.ofShared();
    private final Tensor parameters;
    private final Tensor gradient;
    private final SplitMix64 draws = new SplitMix64(0);
    private final Programs programs;

    private Network(Architecture architecture, Objective objective, Backend backend) {
        this.architecture = architecture;
        this.objective = objective;
        this.backend = backend;
        this.parameters = Tensor.zeros(arena, architecture.parameterCount());
        this.gradient = Tensor.zeros(arena, architecture.parameterCount());
        this.programs = new Programs(this::compile, activationBytes(architecture));
    }

    /** Creates a network whose parameters are zero. */
    public static Network of(Architecture architecture, Objective objective, Backend backend) {
        return new Network(architecture, objective.requireFor(architecture), backend);
    }

    public Architecture architecture() {
        return architecture;
    }

    public int parameterCount() {
        return parameters.length();
    }

    /**
     * Returns the place of each layer's parameters in the two vectors, for layers with parameters.
     */
    public List<ParameterBlock> blocks() {
        return ParameterBlock.of(architecture);
    }

    /** Returns the parameters; the next step uses what is written here. */
    public MemorySegment parameters() {
        return parameters.memory();
    }

    /** Returns the gradient of the last mini-batch; the next one overwrites it. */
    public MemorySegment gradient() {
        return gradient.memory();
    }

    /** Returns the backend's own SGD step, if it has one that is faster than a loop. */
    public Optional<Descent> descent() {
        return backend.descent();
    }

    /** Initializes the parameters at random; equal seeds give equal bits on every host. */
    public void initialize(long seed) {
        new WeightInitializer(seed).fill(architecture, parameters());
    }

    /**
     * Returns the state of dropout's random generator, which is all that a network carries from one
     * mini-batch to the next besides its parameters.
     */
    public long dropoutState() {
        return draws.state();
    }

    /** Restores the state of dropout's random generator. */
    public void dropoutFrom(long state) {
        draws.resume(state);
    }

    /** Seeds dropout's random generator; each rank of a seed gets a stream of its own. */
    public void dropoutFrom(long seed, int rank) {
        draws.resume(SplitMix64.start(seed, rank));
    }

    /**
     * Computes the gradient of the objective over the mini-batch.
     *
     * @return mean loss of a prediction, whatever the reduction; 0, like the gradient, without
     *     samples
     */
    public double gradient(Minibatch minibatch) {
        return gradient(minibatch, () -> {});
    }

    /**
     * Like {@link #gradient(Minibatch)}, with a pause after each layer's work, forward and
     * backward.
     *
     * @param pause must leave the two vectors unchanged
     */
    public double gradient(Minibatch minibatch, Runnable pause) {
        return gradient(minibatch, pause, GradientListener.NONE);
    }

    /**
     * Like {@link #gradient(Minibatch, Runnable)}, and tells after the backward pass of each layer
     * with weights that its gradient is complete.
     */
    public double gradient(Minibatch minibatch, Runnable pause, GradientListener listener) {
        if (minibatch.size() == 0) {
            gradient().fill((byte) 0);
            listener.completeFrom(0);
            return 0;
        }
        return programFor(minibatch).gradient(minibatch, pause, listener);
    }

    /**
     * Computes forward up to the sums of the last layer with weights; {@link #gradientOfSums} does
     * the rest.
     *
     * @return these sums, which may be changed in between; empty without samples
     */
    MemorySegment sums(Minibatch minibatch, Runnable pause) {
        return minibatch.size() == 0
                ? MemorySegment.NULL
                : programFor(minibatch).sums(minibatch, pause);
    }

    /** Completes {@link #gradient(Minibatch, Runnable)} from the sums of the same mini-batch on. */
    double gradientOfSums(Minibatch minibatch, Runnable pause) {
        if (minibatch.size() == 0) {
            gradient().fill((byte) 0);
            return 0;
        }
        return programFor(minibatch).gradientOfSums(minibatch, pause, GradientListener.NONE);
    }

    /** Evaluates the predictions of a mini-batch, without dropout. */
    public Score score(Minibatch minibatch) {
        return minibatch.size() == 0 ? Score.NONE : programFor(minibatch).score(minibatch);
    }

    /**
     * Computes the scores of a mini-batch, without dropout.
     *
     * @return rows of {@link Architecture#scores} floats, one for each label of the mini-batch and
     *     in the same order; empty without samples. The next call overwrites them.
     */
    public MemorySegment scores(Minibatch minibatch) {
        return minibatch.size() == 0 ? MemorySegment.NULL : programFor(minibatch).scores(minibatch);
    }

    @Override
    public void close() {
        programs.close();
        arena.close();
    }

    /** Returns the bytes of values and gradients of all layers, for one sample. */
    private static long activationBytes(Architecture architecture) {
        return architecture.stages().stream()
                .mapToLong(stage -> 2L * Float.BYTES * stage.output().size())
                .sum();
    }

    Program compile(int batch) {
        return Program.compile(
                architecture, objective, backend, parameters, gradient, draws, batch);
    }

    private Program programFor(Minibatch minibatch) {
        if (!minibatch.shape().equals(architecture.input())) {
            throw new IllegalArgumentException(
                    "network %s takes samples of %s, but was given %s"
                            .formatted(
                                    architecture.name(), architecture.input(), minibatch.shape()));
        }
        return programs.forBatch(minibatch.size());
    }
}
