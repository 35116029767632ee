package dev.equipoise.agent.profile;

import dev.equipoise.agent.network.Architecture;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.Pace;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Kernel;
import java.time.Duration;
import java.util.Collections;
import java.util.function.Consumer;

/** Measures what a profiling assignment asks for. */
public final class Profiler {

    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private final Pace pace;
    private final Time time;

    public Profiler(Pace pace, Time time) {
        this.pace = pace;
        this.time = time;
    }

    /**
     * Measures point by point, and tells of each as soon as it is known and when it is refined.
     *
     * @throws AssignmentFailed when this agent has no such network
     */
    public void run(Assignment.Profiling profiling, Consumer<AgentEvent> events)
            throws InterruptedException {
        var benchmark = new Benchmark(profiling.precision(), time);
        for (Assignment.Measurement measurement : profiling.measurements()) {
            measure(measurement, benchmark, events);
        }
    }

    private void measure(
            Assignment.Measurement measurement, Benchmark benchmark, Consumer<AgentEvent> events)
            throws InterruptedException {
        int largest = Collections.max(measurement.sizes());
        try (Workload workload = workload(measurement.kernel(), largest)) {
            benchmark.warmUp(workload.at(largest), WARM_UP);
            benchmark.measure(
                    measurement.sizes(),
                    workload::at,
                    point ->
                            events.accept(
                                    new AgentEvent.PointMeasured(measurement.kernel(), point)));
        }
    }

    private Workload workload(Kernel kernel, int largest) {
        return switch (kernel) {
            case Kernel.TrainingStep(String network) ->
                    new TrainingStepWorkload(architecture(network), largest, pace);
            case Kernel.Gemm _ -> new GemmWorkload(pace);
        };
    }

    private static Architecture architecture(String network) {
        try {
            return Architecture.preset(network);
        } catch (IllegalArgumentException e) {
            throw AssignmentFailed.byUser("unknown-network", String.valueOf(e.getMessage()), e);
        }
    }
}
