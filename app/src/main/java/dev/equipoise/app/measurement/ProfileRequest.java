package dev.equipoise.app.measurement;

import dev.equipoise.protocol.Assignment.Measurement;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.network.Architecture;
import java.util.List;

/** The measurements, stopping rule and origin of a new profile. */
record ProfileRequest(
        Architecture network,
        List<Measurement> measurements,
        Precision precision,
        ProfileOrigin origin) {

    /** Mini-batch sizes from the range of overhead to the range of constant speed. */
    static final Points BATCHES = new Points.Fixed(List.of(8, 16, 32, 64, 96, 128, 192, 256));

    private static final Points MATRICES = new Points.Fixed(List.of(64, 128, 256, 512));

    ProfileRequest {
        measurements = List.copyOf(measurements);
    }

    /** Measures the training step of a network, and matrix products. */
    static ProfileRequest of(Architecture network, Points batches, Precision precision) {
        return new ProfileRequest(
                network,
                List.of(step(network, batches), new Measurement(new Kernel.Gemm(), MATRICES)),
                precision,
                ProfileOrigin.MEASURED);
    }

    /** Measures the default points with the default stopping rule. */
    static ProfileRequest of(Architecture network) {
        return of(network, BATCHES, Precision.DEFAULT);
    }

    /** Measures the training step at one mini-batch size, for a partial FPM. */
    static ProfileRequest at(Architecture network, int size) {
        return new ProfileRequest(
                network,
                List.of(step(network, new Points.Fixed(List.of(size)))),
                Precision.DEFAULT,
                ProfileOrigin.AT_SHARE);
    }

    /** The request that the points of an imported file satisfy. */
    static ProfileRequest imported(Architecture network, List<Integer> sizes) {
        return new ProfileRequest(
                network,
                List.of(step(network, new Points.Fixed(sizes))),
                Precision.DEFAULT,
                ProfileOrigin.IMPORTED);
    }

    private static Measurement step(Architecture network, Points batches) {
        return new Measurement(new Kernel.TrainingStep(network.name()), batches);
    }
}
