package dev.equipoise.agent.profile;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.time.Pace;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.network.Architecture;
import java.time.Duration;
import java.util.Collections;
import java.util.function.Consumer;

/** Measures what a profiling assignment asks for. */
public final class Profiler {

    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private final Pace pace;
    private final Time time;
    private final Backend backend;

    public Profiler(Pace pace, Time time, Backend backend) {
        this.pace = pace;
        this.time = time;
        this.backend = backend;
    }

    /** Measures point by point, and tells of each as soon as it is known and when it is refined. */
    public void run(Assignment.Profiling profiling, Consumer<AgentEvent> events)
            throws InterruptedException {
        var benchmark = new Benchmark(profiling.precision(), time);
        for (Assignment.Measurement measurement : profiling.measurements()) {
            measure(profiling.network(), measurement, benchmark, events);
        }
    }

    private void measure(
            Architecture network,
            Assignment.Measurement measurement,
            Benchmark benchmark,
            Consumer<AgentEvent> events)
            throws InterruptedException {
        int largest = Collections.max(measurement.sizes());
        try (Workload workload = workload(network, measurement.kernel(), largest)) {
            benchmark.warmUp(workload.at(largest), WARM_UP);
            benchmark.measure(
                    measurement.sizes(),
                    workload::at,
                    point ->
                            events.accept(
                                    new AgentEvent.PointMeasured(measurement.kernel(), point)));
        }
    }

    private Workload workload(Architecture network, Kernel kernel, int largest) {
        return switch (kernel) {
            case Kernel.TrainingStep _ -> new TrainingStepWorkload(network, largest, pace, backend);
            case Kernel.Gemm _ -> new GemmWorkload(pace, backend);
        };
    }
}
