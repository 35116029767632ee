package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Fills a project with runs that simulated agents complete. */
final class MadeUpRuns {

    /** Most runs of one definition. */
    static final int AT_ONCE = 1_000;

    private static final String BRIEF = "brief";
    private static final String BULK = "bulk";
    private static final int AGENTS = 50;
    private static final int TIMEOUT_SECONDS = 600;

    private final Api api;
    private final String project;

    MadeUpRuns(Api api, String project) {
        this.api = api;
        this.project = project;
    }

    /** Creates runs of one epoch. */
    void brief(int runs) throws InterruptedException {
        try (SimulatedAgents agents =
                SimulatedAgents.join(api, AGENTS, BRIEF, new Behavior.Brief())) {
            for (int created = 0; created < runs; created += AT_ONCE) {
                submit(BRIEF, 1, Math.min(AT_ONCE, runs - created));
            }
            agents.requireNoFailure();
        }
    }

    /**
     * Creates runs whose training loss has {@code points} points each.
     *
     * @param points a multiple of {@value Behavior.Bulk#AT_ONCE}
     * @return ids of the runs
     */
    List<String> withCurves(int runs, int points) throws InterruptedException {
        int epochs = Math.ceilDiv(points, Definitions.SAMPLES);
        try (SimulatedAgents agents =
                SimulatedAgents.join(api, 1, BULK, new Behavior.Bulk(points))) {
            List<String> all = submit(BULK, epochs, runs);
            agents.requireNoFailure();
            for (String run : all) {
                requirePoints(run, points);
            }
            return all;
        }
    }

    private List<String> submit(String label, int epochs, int runs) throws InterruptedException {
        String experiment = api.define(project, Definitions.simulated(label, epochs, runs));
        List<String> all = api.submit(experiment);
        awaitCompleted(experiment);
        return all;
    }

    private void requirePoints(String run, int wanted) throws InterruptedException {
        long points = api.get("runs/%s/metrics".formatted(run)).at("/items/0/points").asLong();
        if (points != wanted) {
            throw new BenchFailed(
                    "run %s: %d points were reported, but %d are stored"
                            .formatted(run, wanted, points));
        }
    }

    private void awaitCompleted(String experiment) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (isAnyRun(experiment, "QUEUED,PLACED,PREPARING,RUNNING")) {
            if (System.nanoTime() > end) {
                throw new BenchFailed(
                        "the runs of experiment %s did not end within %d s"
                                .formatted(experiment, TIMEOUT_SECONDS));
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        if (isAnyRun(experiment, "FAILED,CANCELLED")) {
            throw new BenchFailed("a run of experiment %s has failed".formatted(experiment));
        }
    }

    private boolean isAnyRun(String experiment, String states) throws InterruptedException {
        return !api.get("runs?experiment=%s&limit=1&state=%s".formatted(experiment, states))
                .path("items")
                .isEmpty();
    }
}
