package dev.equipoise.app.allocation;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.EpochWork;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Stage;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Estimates the number of samples of a mini-batch for which a worker has memory. The estimate is
 * rough, as backends do not report their own working memory.
 */
public final class MemoryEstimate {

    /** Fraction of a host's memory for training; the rest is for system, data and service. */
    private static final double TRAINING_FRACTION = 0.5;

    /** Weights, gradient, sum of gradients, two of optimizer state, three of a codec. */
    private static final int VECTORS = 8;

    /** Each output of a layer has a gradient of equal size. */
    private static final int VALUE_AND_GRADIENT = 2;

    /** Layers in other memory layouts, and a second program for the smaller last mini-batch. */
    private static final int COPIES = 2;

    private MemoryEstimate() {}

    /**
     * Number of samples that fit.
     *
     * @param memoryBytes of the host
     * @param company number of co-located workers that train at the same time, itself included
     */
    static int samples(Architecture network, long memoryBytes, int company) {
        double available = TRAINING_FRACTION * memoryBytes / company - bytes(network, 0);
        return (int) Math.clamp(available / bytesOfSample(network), 0, Integer.MAX_VALUE);
    }

    /**
     * Memory of a replica in bytes.
     *
     * @param samples of its mini-batch
     */
    public static double bytes(Architecture network, double samples) {
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

    /** Whether the workers of a run together have memory for its rounds. */
    public static boolean fits(RunConfiguration configuration, List<LabWorker> chosen) {
        return (long) samplesOfRound(configuration, chosen) * configuration.rounds()
                >= configuration.dataset().limit();
    }

    /** Samples of a round for which the workers of a run together have memory. */
    public static int samplesOfRound(RunConfiguration configuration, List<LabWorker> chosen) {
        return (int)
                Math.min(
                        Integer.MAX_VALUE,
                        bounds(configuration, chosen).stream().mapToLong(Integer::longValue).sum());
    }

    /**
     * The samples and rounds of an epoch, with the memory bounds of the replicas.
     *
     * @param chosen one worker for each rank, or one for all
     * @throws IllegalArgumentException if the workers together have too little memory
     */
    static EpochWork work(RunConfiguration configuration, List<LabWorker> chosen) {
        return new EpochWork(
                configuration.dataset().limit(),
                configuration.rounds(),
                bounds(configuration, chosen));
    }

    /**
     * Memory bounds of the replicas, in samples of a round. A virtual run is unbounded, as its
     * worker computes the mini-batches one by one.
     *
     * @param chosen one worker for each rank, or one for all
     */
    public static List<Integer> bounds(RunConfiguration configuration, List<LabWorker> chosen) {
        if (configuration.isOnOneWorker()) {
            return Collections.nCopies(
                    configuration.workers().replicas(), configuration.dataset().limit());
        }
        ComputingWorkers computing = ComputingWorkers.of(configuration, chosen);
        return computing.workers().stream()
                .map(worker ->
                        samples(
                                configuration.architecture(),
                                worker.host().memoryBytes(),
                                computing.company(worker)))
                .toList();
    }
}
