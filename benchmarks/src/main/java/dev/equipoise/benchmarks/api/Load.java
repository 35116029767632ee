package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A lab at work: agents, of which some report, readers of events, and somebody who looks around.
 */
final class Load {

    /**
     * How much of it there is.
     *
     * @param duration for which it is measured, after {@link #WARM_UP}
     */
    record Size(int agents, int readers, int pointsPerSecond, Duration duration) {}

    static final Duration WARM_UP = Duration.ofSeconds(15);

    /** What a real agent reports at most. */
    private static final int MOST_POINTS_OF_AN_AGENT = 50;

    private static final String LABEL = "load";
    private static final int EPOCHS = 10;
    private static final int PATIENCE_SECONDS = 120;
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
        var body = new Body.Steady(size.pointsPerSecond() / runs, stored);
        long begun = System.nanoTime();
        try (SimulatedAgents agents = SimulatedAgents.join(api, size.agents(), LABEL, body)) {
            double joining = (System.nanoTime() - begun) / NANOS;
            List<String> ids =
                    api.submit(api.define(project, Definitions.madeUp(LABEL, EPOCHS, runs)));
            awaitRunning(ids);
            List<ApiFigure> figures = new ArrayList<>();
            figures.add(ApiFigure.told(size.agents() + " agents join", joining, "s"));
            try (EventReaders readers = EventReaders.open(api, ids, size.readers())) {
                new Reads(api, ids).read(WARM_UP);
                figures.addAll(measure(agents, readers, ids));
            }
            for (String run : ids) {
                api.tell("runs/%s/cancel".formatted(run), Map.of());
            }
            agents.requireSound();
            return figures;
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
            if (readers.reading() < size.readers()) {
                throw new BenchFailed("only %d readers are left".formatted(readers.reading()));
            }
            return figures(reads, lateness, delays, rate, memory);
        }
    }

    private List<ApiFigure> figures(
            Reads reads, Times lateness, Times delays, double rate, MemoryWatch memory) {
        List<ApiFigure> figures = new ArrayList<>();
        figures.add(ApiFigure.told("points stored a second", rate, ""));
        figures.add(ApiFigure.told("reads, median", reads.all().median(), "ms"));
        figures.add(ApiFigure.told("reads, p90", reads.all().quantile(0.9), "ms"));
        figures.add(ApiFigure.below(100, "reads, p99", reads.all().p99(), "ms"));
        figures.add(ApiFigure.told("reads, the slowest", reads.all().most(), "ms"));
        reads.byKind()
                .forEach((kind, times) ->
                        figures.add(
                                ApiFigure.told("  %s, p99".formatted(kind), times.p99(), "ms")));
        figures.add(ApiFigure.told("heartbeats answered", lateness.count(), ""));
        figures.add(ApiFigure.told("heartbeats, p99", lateness.p99(), "ms"));
        figures.add(ApiFigure.below(2, "the latest heartbeat", lateness.most() / 1000, "s"));
        figures.add(
                ApiFigure.below(1, "workers taken as lost", (double) service.lostWorkers(), ""));
        figures.add(ApiFigure.told("events heard by readers", delays.count(), ""));
        figures.add(ApiFigure.told("event told to event heard, p99", delays.p99(), "ms"));
        figures.add(
                ApiFigure.below(
                        1000,
                        "memory of the service, most",
                        service.memory().mostResident(),
                        "MB"));
        figures.add(ApiFigure.told("memory of the service, seen", memory.resident(), "MB"));
        figures.add(ApiFigure.told("  heap in use, most", memory.heap(), "MB"));
        figures.add(ApiFigure.told("memory of the database, most", memory.database(), "MB"));
        figures.add(
                ApiFigure.below(
                        1000, "memory of both, most", memory.resident() + memory.database(), "MB"));
        return figures;
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
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (running(runs) < runs.size()) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("the runs have not begun in " + PATIENCE_SECONDS + " s");
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
