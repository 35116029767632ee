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
 * A network with its parameters and the gradient of its last mini-batch, each one vector of native
 * float32. One thread computes; others may read and write the two vectors between its calls. After
 * {@link #close()} the vectors can no longer be reached.
 */
public final class Network implements AutoCloseable {
    private final Architecture architecture;
    private final Objective objective;
    private final Backend backend;
    private final Arena arena = Arena.ofShared();
    private final Tensor parameters;
    private final Tensor gradient;
    private final Draws draws = new Draws(0);
    private final Programs programs;

    private Network(Architecture architecture, Objective objective, Backend backend) {
        this.architecture = architecture;
        this.objective = objective;
        this.backend = backend;
        this.parameters = Tensor.zeros(arena, architecture.parameterCount());
        this.gradient = Tensor.zeros(arena, architecture.parameterCount());
        this.programs = new Programs(this::compile, activationBytes(architecture));
    }

    /** A network whose parameters are zero. */
    public static Network of(Architecture architecture, Objective objective, Backend backend) {
        return new Network(architecture, objective.requireFor(architecture), backend);
    }

    public Architecture architecture() {
        return architecture;
    }

    public int parameterCount() {
        return parameters.length();
    }

    /** Where each layer's parameters lie in the two vectors; only of the layers that learn. */
    public List<ParameterBlock> blocks() {
        return ParameterBlock.of(architecture);
    }

    /** The memory that the network computes with: what is written here, the next step uses. */
    public MemorySegment parameters() {
        return parameters.memory();
    }

    /** The gradient of the last mini-batch; the next one overwrites it. */
    public MemorySegment gradient() {
        return gradient.memory();
    }

    /** A plain step of the parameters, where the backend has a faster way than a loop. */
    public Optional<Descent> descent() {
        return backend.descent();
    }

    /** Draws the parameters anew; equal seeds give equal bits on every machine. */
    public void initialise(long seed) {
        new Initialiser(seed).fill(architecture, parameters());
    }

    /**
     * What dropout draws next. Together with the parameters this is all that a network remembers
     * from one mini-batch to the next.
     */
    public long dropoutState() {
        return draws.state();
    }

    /** Lets dropout draw from here on. */
    public void dropoutFrom(long state) {
        draws.resume(state);
    }

    /** Lets dropout draw anew; every rank of a seed draws something else. */
    public void dropoutFrom(long seed, int rank) {
        draws.resume(Draws.start(seed, rank));
    }

    /**
     * Overwrites the gradient with that of the objective over the mini-batch.
     *
     * @return the mean loss of a prediction, whatever the reduction; 0, as the gradient, where
     *     there are no samples
     */
    public double gradient(Minibatch minibatch) {
        return gradient(minibatch, () -> {});
    }

    /**
     * As {@link #gradient(Minibatch)}, with a pause after each layer's work, forward and backward.
     *
     * @param pause must leave the two vectors alone
     */
    public double gradient(Minibatch minibatch, Runnable pause) {
        if (minibatch.size() == 0) {
            gradient().fill((byte) 0);
            return 0;
        }
        return programFor(minibatch).gradient(minibatch, pause);
    }

    /**
     * Computes as far as what the last layer with weights makes; {@link #gradientOfSums} does the
     * rest.
     *
     * @return these sums, which may be changed in between; empty where there are no samples
     */
    MemorySegment sums(Minibatch minibatch, Runnable pause) {
        return minibatch.size() == 0
                ? MemorySegment.NULL
                : programFor(minibatch).sums(minibatch, pause);
    }

    /** As {@link #gradient(Minibatch, Runnable)}, from the sums of the same mini-batch on. */
    double gradientOfSums(Minibatch minibatch, Runnable pause) {
        if (minibatch.size() == 0) {
            gradient().fill((byte) 0);
            return 0;
        }
        return programFor(minibatch).gradientOfSums(minibatch, pause);
    }

    /** How well the network predicts the labels of a mini-batch; nothing is dropped out. */
    public Score score(Minibatch minibatch) {
        return minibatch.size() == 0 ? Score.NONE : programFor(minibatch).score(minibatch);
    }

    @Override
    public void close() {
        programs.close();
        arena.close();
    }

    /** Values and gradients of every layer, for one sample. */
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
