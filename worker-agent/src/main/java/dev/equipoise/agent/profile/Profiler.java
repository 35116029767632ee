package dev.equipoise.agent.profile;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.Meeting;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.Pace;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.Consumer;

/** Measures what a profiling assignment asks for. */
public final class Profiler {

    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private static final int FULL = 100;

    private final Meeting meeting;
    private final Pace pace;
    private final int threads;
    private final double slowDown;
    private final Time time;
    private final Backend backend;

    /**
     * @param threads that compute
     * @param slowDown of the pace
     */
    public Profiler(
            Meeting meeting, Pace pace, int threads, double slowDown, Time time, Backend backend) {
        this.meeting = meeting;
        this.pace = pace;
        this.threads = threads;
        this.slowDown = slowDown;
        this.time = time;
        this.backend = backend;
    }

    /**
     * Measures point by point, and tells of each as soon as it is known and when it is refined.
     *
     * @throws AssignmentFailed when a companion is lost
     */
    public void run(Assignment.Profiling profiling, Consumer<AgentEvent> events)
            throws InterruptedException {
        if (profiling.peers().size() == 1) {
            measure(profiling, Companions.NONE, events);
            return;
        }
        try (Channel channel = meeting.meet(profiling);
                Arena memory = Arena.ofShared()) {
            measure(profiling, companions(channel, memory), events);
        } catch (ChannelFailed e) {
            throw AssignmentFailed.byWorker(
                    "peer-lost",
                    "at rank %d, measuring with others of this machine: %s"
                            .formatted(profiling.rank(), e.getMessage()),
                    e);
        }
    }

    private Companions companions(Channel channel, Arena memory) {
        AllReduce sum = AllReduces.of(Algorithm.RECURSIVE_DOUBLING, channel, 1, time, memory);
        MemorySegment word = memory.allocate(JAVA_FLOAT);
        return new Companions(
                channel.size(),
                own -> {
                    word.set(JAVA_FLOAT, 0, own);
                    sum.sum(word);
                    return Math.round(word.get(JAVA_FLOAT, 0));
                });
    }

    private void measure(
            Assignment.Profiling profiling, Companions companions, Consumer<AgentEvent> events)
            throws InterruptedException {
        int percent = (int) Math.round(FULL * threads / (slowDown * profiling.slowDown()));
        boolean isCrowded =
                companions.sum().applyAsInt(percent)
                        > FULL * Runtime.getRuntime().availableProcessors();
        var benchmark =
                new Benchmark(
                        profiling.precision(),
                        companions,
                        isCrowded ? Disturbance.NONE : Disturbance.DEFAULT,
                        new RunQueue(),
                        time);
        for (Assignment.Measurement measurement : profiling.measurements()) {
            measure(profiling, measurement, benchmark, events);
        }
    }

    private void measure(
            Assignment.Profiling profiling,
            Assignment.Measurement measurement,
            Benchmark benchmark,
            Consumer<AgentEvent> events)
            throws InterruptedException {
        int largest = measurement.points().largest();
        try (Workload workload = workload(profiling, measurement.kernel(), largest)) {
            benchmark.warmUp(workload.at(largest), WARM_UP);
            benchmark.measure(
                    measurement.points(),
                    workload::at,
                    point ->
                            events.accept(
                                    new AgentEvent.PointMeasured(
                                            measurement.kernel(),
                                            point.dividedBy(profiling.slowDown()))));
        }
    }

    private Workload workload(Assignment.Profiling profiling, Kernel kernel, int largest) {
        Pace slowed = pace.slowedBy(profiling.slowDown());
        return switch (kernel) {
            case Kernel.TrainingStep _ ->
                    new TrainingStepWorkload(profiling.network(), largest, slowed, backend);
            case Kernel.Gemm _ -> new GemmWorkload(slowed, backend);
        };
    }
}
