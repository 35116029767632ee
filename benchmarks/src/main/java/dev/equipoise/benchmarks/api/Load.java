package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Load of a busy lab: reporting agents, event readers and a steady reader of other resources. */
final class Load {

    /**
     * Amount of load.
     *
     * @param duration of the measurement, after {@link #WARM_UP}
     */
    record Size(int agents, int readers, int pointsPerSecond, Duration duration) {}

    static final Duration WARM_UP = Duration.ofSeconds(15);

    /** Most points per second of a real agent. */
    private static final int MOST_POINTS_OF_AN_AGENT = 50;

    private static final String LABEL = "load";
    private static final int EPOCHS = 10;
    private static final int TIMEOUT_SECONDS = 120;
    private static final double NANOS = 1e9;

    private final ServiceProcess service;
    private final Api api;
    private final Size size;
    private final LongAdder stored = new LongAdder();

    Load(ServiceProcess service, Size size) {
        this.service = service;
        this.api = service.api();
        this.size = size;
    }

    List<ApiFigure> measure(String project) throws InterruptedException {
        int runs = Math.ceilDiv(size.pointsPerSecond(), MOST_POINTS_OF_AN_AGENT);
        var behavior = new Behavior.Steady(size.pointsPerSecond() / runs, stored);
        long begun = System.nanoTime();
        try (SimulatedAgents agents = SimulatedAgents.join(api, size.agents(), LABEL, behavior)) {
            double joining = (System.nanoTime() - begun) / NANOS;
            List<ApiFigure> figures = new ArrayList<>();
            figures.add(ApiFigure.of(size.agents() + " agents join", joining, "s"));
            List<String> ids = start(project, runs);
            figures.addAll(measure(agents, ids));
            cancel(ids);
            agents.requireNoFailure();
            return figures;
        }
    }

    /** Submits runs and returns their ids once all are running. */
    private List<String> start(String project, int runs) throws InterruptedException {
        List<String> ids =
                api.submit(api.define(project, Definitions.simulated(LABEL, EPOCHS, runs)));
        awaitRunning(ids);
        return ids;
    }

    private void cancel(List<String> runs) throws InterruptedException {
        for (String run : runs) {
            api.postForStatus("runs/%s/cancel".formatted(run), Map.of());
        }
    }

    private List<ApiFigure> measure(SimulatedAgents agents, List<String> runs)
            throws InterruptedException {
        try (EventReaders readers = EventReaders.open(api, runs, size.readers())) {
            new Reads(api, runs).read(WARM_UP);
            return measure(agents, readers, runs);
        }
    }

    private List<ApiFigure> measure(SimulatedAgents agents, EventReaders readers, List<String> runs)
            throws InterruptedException {
        Times lateness = agents.lateness();
        Times delays = readers.delays();
        var reads = new Reads(api, runs);
        long before = storedPoints(runs);
        long begun = System.nanoTime();
        try (MemoryWatch memory = MemoryWatch.of(service.memory())) {
            reads.read(size.duration());
            double seconds = (System.nanoTime() - begun) / NANOS;
            double rate = (storedPoints(runs) - before) / seconds;
            requireOpen(readers);
            return figures(reads, lateness, delays, rate, memory);
        }
    }

    private void requireOpen(EventReaders readers) {
        if (readers.reading() < size.readers()) {
            throw new BenchFailed(
                    "only %d of %d event streams are still open"
                            .formatted(readers.reading(), size.readers()));
        }
    }

    private List<ApiFigure> figures(
            Reads reads, Times lateness, Times delays, double rate, MemoryWatch memory) {
        List<ApiFigure> figures = new ArrayList<>();
        figures.add(ApiFigure.of("points stored per second", rate, ""));
        figures.addAll(reads.figures());
        figures.addAll(figures(lateness, delays));
        figures.addAll(figures(memory));
        return figures;
    }

    /** Returns the figures of heartbeats and events. */
    private List<ApiFigure> figures(Times lateness, Times delays) {
        return List.of(
                ApiFigure.of("heartbeats answered", lateness.count(), ""),
                ApiFigure.of("heartbeats, p99", lateness.p99(), "ms"),
                ApiFigure.below(2, "heartbeats, latest", lateness.most() / 1000, "s"),
                ApiFigure.below(1, "workers declared lost", (double) service.lostWorkers(), ""),
                ApiFigure.of("events received by readers", delays.count(), ""),
                ApiFigure.of("event recorded to event received, p99", delays.p99(), "ms"));
    }

    private List<ApiFigure> figures(MemoryWatch memory) {
        double most = service.memory().mostResident();
        double both = memory.resident() + memory.database();
        return List.of(
                ApiFigure.below(1000, "memory of the service, most", most, "MB"),
                ApiFigure.of("memory of the service, sampled", memory.resident(), "MB"),
                ApiFigure.of("  heap in use, most", memory.heap(), "MB"),
                ApiFigure.of("memory of the database, most", memory.database(), "MB"),
                ApiFigure.below(1000, "memory of both, most", both, "MB"));
    }

    private long storedPoints(List<String> runs) throws InterruptedException {
        long points = 0;
        for (String run : runs) {
            points +=
                    api.get("runs/%s/metrics".formatted(run))
                            .path("items")
                            .valueStream()
                            .mapToLong(metric -> metric.path("points").asLong())
                            .sum();
        }
        return points;
    }

    private void awaitRunning(List<String> runs) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (running(runs) < runs.size()) {
            if (System.nanoTime() > end) {
                throw new BenchFailed(
                        "not all runs were RUNNING within %d s".formatted(TIMEOUT_SECONDS));
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    private long running(List<String> runs) throws InterruptedException {
        return api.get("runs?state=RUNNING&limit=500")
                .path("items")
                .valueStream()
                .filter(run -> runs.contains(run.path("id").asString()))
                .count();
    }
}
