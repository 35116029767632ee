package dev.equipoise.app.plan;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Stage;
import java.util.stream.Stream;

/**
 * How many samples of a mini-batch a worker has memory for, roughly: what computes the layers takes
 * memory of its own, of which nobody tells.
 */
final class Room {

    /** Of a machine's memory; the rest is for the system, the data and the service. */
    private static final double FOR_TRAINING = 0.5;

    /** Weights, gradient and its sum, two vectors of an optimizer, and those of a codec. */
    private static final int VECTORS = 8;

    /** Every value has a gradient. */
    private static final int VALUE_AND_GRADIENT = 2;

    /** Layers in other layouts, and a program for the last, smaller mini-batch. */
    private static final int COPIES = 2;

    private Room() {}

    /**
     * Samples of a round.
     *
     * @param memoryBytes of the machine
     * @param company workers of the machine that train at the same time
     */
    static int samples(Architecture network, long memoryBytes, int company) {
        double available = FOR_TRAINING * memoryBytes / company - bytes(network, 0);
        return (int) Math.clamp(available / bytesOfSample(network), 0, Integer.MAX_VALUE);
    }

    /**
     * What a replica takes.
     *
     * @param samples of its mini-batch
     */
    static double bytes(Architecture network, double samples) {
        return (double) VECTORS * Float.BYTES * network.parameterCount()
                + samples * bytesOfSample(network);
    }

    private static double bytesOfSample(Architecture network) {
        double numbers =
                Stream.concat(
                                Stream.of(network.input()),
                                network.stages().stream().map(Stage::output))
                        .mapToDouble(Shape::size)
                        .sum();
        return COPIES * VALUE_AND_GRADIENT * numbers * Float.BYTES;
    }
}
