package dev.equipoise.app.profile;

import dev.equipoise.protocol.Assignment.Measurement;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.network.Architecture;
import java.util.List;

/** What a worker is asked to measure. */
record ProfileRequest(
        Architecture network,
        List<Measurement> measurements,
        Precision precision,
        ProfileOrigin origin) {

    /** Mini-batches from where the overhead shows to where the speed is flat. */
    static final Points BATCHES = new Points.Fixed(List.of(8, 16, 32, 64, 96, 128, 192, 256));

    private static final Points MATRICES = new Points.Fixed(List.of(64, 128, 256, 512));

    ProfileRequest {
        measurements = List.copyOf(measurements);
    }

    /** The network's training step, and matrix products beside it. */
    static ProfileRequest of(Architecture network, Points batches, Precision precision) {
        return new ProfileRequest(
                network,
                List.of(step(network, batches), new Measurement(new Kernel.Gemm(), MATRICES)),
                precision,
                ProfileOrigin.MEASURED);
    }

    /** What every run gets along with. */
    static ProfileRequest of(Architecture network) {
        return of(network, BATCHES, Precision.DEFAULT);
    }

    /** The training step at one mini-batch. */
    static ProfileRequest at(Architecture network, int size) {
        return new ProfileRequest(
                network,
                List.of(step(network, new Points.Fixed(List.of(size)))),
                Precision.DEFAULT,
                ProfileOrigin.AT_SHARE);
    }

    /** The training step at the points of a file. */
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
