package dev.equipoise.agent.network;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A network with its parameters and the gradient of its last mini-batch, each one vector of native
 * float32. One thread computes; others may read and write the two vectors between its calls. After
 * {@link #close()} the vectors can no longer be reached.
 */
public final class Network implements AutoCloseable {
    private final Architecture architecture;
    private final Arena arena = Arena.ofShared();
    private final Tensor parameters;
    private final Tensor gradient;
    private final Programs programs;

    private Network(Architecture architecture) {
        this.architecture = architecture;
        this.parameters = Tensor.zeros(arena, architecture.parameterCount());
        this.gradient = Tensor.zeros(arena, architecture.parameterCount());
        this.programs = new Programs(this::compile);
    }

    /** A network whose parameters are zero. */
    public static Network of(Architecture architecture) {
        return new Network(architecture);
    }

    public Architecture architecture() {
        return architecture;
    }

    public int parameterCount() {
        return parameters.length();
    }

    /** The memory that the network computes with: what is written here, the next step uses. */
    public MemorySegment parameters() {
        return parameters.memory();
    }

    /** The gradient of the last mini-batch; the next one overwrites it. */
    public MemorySegment gradient() {
        return gradient.memory();
    }

    /** Draws the parameters anew; equal seeds give equal bits on every machine. */
    public void initialise(long seed) {
        new Initialiser(seed).fill(architecture, parameters());
    }

    /**
     * Overwrites the gradient with that of the mean softmax cross-entropy over the mini-batch.
     *
     * @return the mean loss; 0, as the gradient, where there are no samples
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

    /** How many samples get their highest score for their own class. */
    public int correct(Minibatch minibatch) {
        return minibatch.size() == 0 ? 0 : programFor(minibatch).correct(minibatch);
    }

    @Override
    public void close() {
        programs.close();
        arena.close();
    }

    Program compile(int batch) {
        return Program.compile(architecture, parameters, gradient, batch);
    }

    private Program programFor(Minibatch minibatch) {
        if (!minibatch.shape().equals(architecture.input().ofProtocol())) {
            throw new IllegalArgumentException(
                    "network %s takes samples of %s, but was given %s"
                            .formatted(
                                    architecture.name(), architecture.input(), minibatch.shape()));
        }
        return programs.forBatch(minibatch.size());
    }
}
