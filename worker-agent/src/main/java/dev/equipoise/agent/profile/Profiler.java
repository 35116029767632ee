package dev.equipoise.agent.profile;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.Rendezvous;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Executes profiling assignments. */
public final class Profiler {

    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private static final int PERCENT = 100;

    private final Rendezvous rendezvous;
    private final Throttle throttle;
    private final int threads;
    private final double slowDown;
    private final Time time;
    private final Backend backend;

    /**
     * @param threads number of compute threads
     * @param slowDown slowdown of the throttle
     */
    public Profiler(
            Rendezvous rendezvous,
            Throttle throttle,
            int threads,
            double slowDown,
            Time time,
            Backend backend) {
        this.rendezvous = rendezvous;
        this.throttle = throttle;
        this.threads = threads;
        this.slowDown = slowDown;
        this.time = time;
        this.backend = backend;
    }

    /**
     * Measures point by point, and reports each point as soon as it is known and whenever it is
     * refined.
     *
     * @throws AssignmentFailed when a co-located worker is lost
     */
    public void run(Assignment.Profiling profiling, Consumer<ProfileReport> events)
            throws InterruptedException {
        if (profiling.peers().size() == 1) {
            measure(profiling, CoLocatedProfilers.NONE, events);
            return;
        }
        try (Channel channel = rendezvous.meet(profiling);
                Arena memory = Arena.ofShared()) {
            measure(profiling, coLocated(channel, memory), events);
        } catch (ChannelFailed e) {
            throw AssignmentFailed.byWorker(
                    "peer-lost",
                    "rank %d failed to measure with the co-located workers: %s"
                            .formatted(profiling.rank(), e.getMessage()),
                    e);
        }
    }

    private CoLocatedProfilers coLocated(Channel channel, Arena memory) {
        AllReduce sum = AllReduces.of(Algorithm.RECURSIVE_DOUBLING, channel, 1, time, memory);
        MemorySegment value = memory.allocate(JAVA_FLOAT);
        return new CoLocatedProfilers(
                channel.size(),
                own -> {
                    value.set(JAVA_FLOAT, 0, own);
                    sum.sum(value);
                    return Math.round(value.get(JAVA_FLOAT, 0));
                });
    }

    private void measure(
            Assignment.Profiling profiling,
            CoLocatedProfilers coLocated,
            Consumer<ProfileReport> events)
            throws InterruptedException {
        int percent = (int) Math.round(PERCENT * threads / (slowDown * profiling.slowDown()));
        boolean isCrowded =
                coLocated.sum().applyAsInt(percent)
                        > PERCENT * Runtime.getRuntime().availableProcessors();
        var benchmark =
                new Benchmark(
                        profiling.precision(),
                        coLocated,
                        isCrowded ? Disturbance.NONE : Disturbance.DEFAULT,
                        new RunQueueLatency(),
                        time);
        for (Assignment.Measurement measurement : profiling.measurements()) {
            measure(profiling, measurement, benchmark, events);
        }
    }

    private void measure(
            Assignment.Profiling profiling,
            Assignment.Measurement measurement,
            Benchmark benchmark,
            Consumer<ProfileReport> events)
            throws InterruptedException {
        int largest = measurement.points().largest();
        Double sigmoid = sigmoidSeconds(profiling, measurement.kernel(), largest);
        try (Workload workload = workload(profiling, measurement.kernel(), largest)) {
            benchmark.warmUp(workload.at(largest), WARM_UP);
            benchmark.measure(
                    measurement.points(),
                    workload::at,
                    point ->
                            events.accept(
                                    new ProfileReport.PointMeasured(
                                            measurement.kernel(),
                                            point.withSigmoid(sigmoid)
                                                    .dividedBy(profiling.slowDown()))));
        }
    }

    /**
     * Measures the sigmoids of a perceptron's hidden layer at the largest size, before its training
     * step. Co-located workers do so at about the same time, but not in time slots, since those of
     * an earlier version do not.
     *
     * @return seconds of one sigmoid; null for other networks and kernels
     */
    private @Nullable Double sigmoidSeconds(
            Assignment.Profiling profiling, Kernel kernel, int largest)
            throws InterruptedException {
        int units = profiling.network().sigmoidUnits().orElse(0);
        if (units == 0 || !(kernel instanceof Kernel.TrainingStep)) {
            return null;
        }
        var benchmark =
                new Benchmark(
                        profiling.precision(),
                        CoLocatedProfilers.NONE,
                        Disturbance.NONE,
                        new RunQueueLatency(),
                        time);
        double[] seconds = {0};
        try (Workload workload =
                new SigmoidWorkload(units, throttle.slowedBy(profiling.slowDown()), backend)) {
            benchmark.warmUp(workload.at(largest), WARM_UP);
            benchmark.measure(
                    new Points.Fixed(List.of(largest)),
                    workload::at,
                    point -> seconds[0] = point.meanSeconds());
        }
        return seconds[0] / ((double) largest * units);
    }

    private Workload workload(Assignment.Profiling profiling, Kernel kernel, int largest) {
        Throttle slowed = throttle.slowedBy(profiling.slowDown());
        return switch (kernel) {
            case Kernel.TrainingStep _ ->
                    new TrainingStepWorkload(profiling.network(), largest, slowed, backend);
            case Kernel.Gemm _ -> new GemmWorkload(slowed, backend);
        };
    }
}
