package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** How fast a page of many runs is, and a curve of many points; agents have made both. */
final class Lists {

    /**
     * How much there is.
     *
     * @param runs a multiple of {@value #AT_ONCE}, or less than that
     * @param points a multiple of {@value Body.Bulk#AT_ONCE}
     */
    record Size(int runs, int points) {}

    /** As many runs as a definition may stand for. */
    static final int AT_ONCE = 1_000;

    private static final String BRIEF = "brief";
    private static final String BULK = "bulk";
    private static final int AGENTS = 50;
    private static final int PATIENCE_SECONDS = 600;
    private static final int WARM_UP = 10;
    private static final int REQUESTS = 50;
    private static final double MOST_MILLISECONDS = 200;
    private static final double NANOS = 1e9;

    private final Api api;
    private final Size size;

    Lists(Api api, Size size) {
        this.api = api;
        this.size = size;
    }

    List<ApiFigure> measure(String project) throws InterruptedException {
        List<ApiFigure> figures = new ArrayList<>();
        long begun = System.nanoTime();
        fill(project);
        figures.add(ApiFigure.told(size.runs() + " runs are queued and run", since(begun), "s"));
        begun = System.nanoTime();
        String run = fillCurve(project);
        figures.add(ApiFigure.told(size.points() + " points are reported", since(begun), "s"));
        add(figures, "a page of 100 runs, the first", "runs?limit=100");
        add(figures, "a page of 100 runs, far behind", "runs?limit=100&cursor=" + farBehind());
        add(figures, "a page of 100 runs, by accuracy", "runs?limit=100&sort=-testAccuracy");
        add(
                figures,
                "a curve of %,d points in 500 stretches".formatted(size.points()),
                "runs/%s/curves?name=train/loss&buckets=500".formatted(run));
        return figures;
    }

    private static double since(long nanos) {
        return (System.nanoTime() - nanos) / NANOS;
    }

    private void fill(String project) throws InterruptedException {
        try (SimulatedAgents agents = SimulatedAgents.join(api, AGENTS, BRIEF, new Body.Brief())) {
            for (int made = 0; made < size.runs(); made += AT_ONCE) {
                int runs = Math.min(AT_ONCE, size.runs() - made);
                String experiment = api.define(project, Definitions.madeUp(BRIEF, 1, runs));
                api.submit(experiment);
                awaitCompleted(experiment);
            }
            agents.requireSound();
        }
    }

    private String fillCurve(String project) throws InterruptedException {
        int epochs = Math.ceilDiv(size.points(), Definitions.SAMPLES);
        try (SimulatedAgents agents =
                SimulatedAgents.join(api, 1, BULK, new Body.Bulk(size.points()))) {
            String experiment = api.define(project, Definitions.madeUp(BULK, epochs, 1));
            String run = api.submit(experiment).getFirst();
            awaitCompleted(experiment);
            agents.requireSound();
            requirePoints(run);
            return run;
        }
    }

    private void requirePoints(String run) throws InterruptedException {
        long points = api.get("runs/%s/metrics".formatted(run)).at("/items/0/points").asLong();
        if (points != size.points()) {
            throw new BenchFailed(
                    "%d points were reported, and %d are stored".formatted(size.points(), points));
        }
    }

    private void awaitCompleted(String experiment) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (isAnyRun(experiment, "QUEUED,PLACED,PREPARING,RUNNING")) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("runs have not ended in " + PATIENCE_SECONDS + " s");
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

    /** Of the page that begins nine tenths down the list. */
    private String farBehind() throws InterruptedException {
        String cursor = "";
        for (int passed = 0; passed < size.runs() * 9 / 10; passed += 100) {
            JsonNode page = api.get("runs?limit=100" + cursor);
            cursor = "&cursor=" + page.path("next").asString();
        }
        return cursor.substring(cursor.indexOf('=') + 1);
    }

    private void add(List<ApiFigure> figures, String what, String path)
            throws InterruptedException {
        for (int request = 0; request < WARM_UP; request++) {
            api.text(path);
        }
        var times = new Times();
        for (int request = 0; request < REQUESTS; request++) {
            long begun = System.nanoTime();
            api.text(path);
            times.addSince(begun);
        }
        figures.add(ApiFigure.told(what + ", median", times.median(), "ms"));
        figures.add(ApiFigure.below(MOST_MILLISECONDS, what + ", p99", times.p99(), "ms"));
    }
}
