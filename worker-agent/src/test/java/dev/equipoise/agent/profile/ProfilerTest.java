package dev.equipoise.agent.profile;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Rendezvous;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProfilerTest {

    /** The clock runs a thousand times as fast, so that warm-ups take milliseconds. */
    private static final class FastTime implements Time {

        private static final int FACTOR = 1000;

        private final Time time = new SystemTime();
        private final long origin = time.nanoTime();

        @Override
        public long nanoTime() {
            return FACTOR * (time.nanoTime() - origin);
        }

        @Override
        public long threadNanos() {
            return FACTOR * time.threadNanos();
        }

        @Override
        public void sleep(long nanos) {
            time.sleep(nanos / FACTOR);
        }
    }

    private static final class NoPeers implements Rendezvous {

        @Override
        public Channel meet(Assignment.Joint assignment) {
            throw new AssertionError("no worker measures at the same time");
        }

        @Override
        public List<Integer> missing(Assignment.Joint assignment) {
            return List.of();
        }
    }

    private static List<MeasuredPoint> measure(Architecture network, Kernel kernel)
            throws InterruptedException {
        Time time = new FastTime();
        var profiler =
                new Profiler(new NoPeers(), new Throttle(1, 1, time), 1, 1, time, Backends.load());
        List<MeasuredPoint> points = new ArrayList<>();
        profiler.run(
                new Assignment.Profiling(
                        AssignmentId.of(UUID.randomUUID()),
                        1,
                        UUID.randomUUID(),
                        0,
                        List.of(WorkerId.of(UUID.randomUUID())),
                        "",
                        network,
                        List.of(
                                new Assignment.Measurement(
                                        kernel, new Points.Fixed(List.of(2, 16)))),
                        new Precision(2, 5, 0.95, 0.1, 0.5),
                        1),
                event -> {
                    if (event instanceof ProfileReport.PointMeasured(var _, var point)) {
                        points.add(point);
                    }
                });
        return points;
    }

    @Test
    void perceptronHasTheTimeOfItsSigmoids() throws InterruptedException {
        List<MeasuredPoint> points =
                measure(
                        Preset.MLP_203_100_26.architecture(),
                        new Kernel.TrainingStep("mlp-203-100-26"));

        assertThat(points)
                .isNotEmpty()
                .allSatisfy(point -> assertThat(point.sigmoidSeconds()).isNotNull().isPositive());
        assertThat(MeasuredPoint.sigmoidOf(points))
                .hasValue(requireNonNull(points.getLast().sigmoidSeconds()));
    }

    @Test
    void otherNetworksAndKernelsHaveNone() throws InterruptedException {
        assertThat(measure(Preset.MNIST_CNN.architecture(), new Kernel.TrainingStep("mnist-cnn")))
                .isNotEmpty()
                .allSatisfy(point -> assertThat(point.sigmoidSeconds()).isNull());
        assertThat(measure(Preset.MLP_203_100_26.architecture(), new Kernel.Gemm()))
                .isNotEmpty()
                .allSatisfy(point -> assertThat(point.sigmoidSeconds()).isNull());
    }
}
