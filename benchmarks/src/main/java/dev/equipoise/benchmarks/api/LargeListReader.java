package dev.equipoise.benchmarks.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Measures pages of many runs and a curve of many points, both from simulated agents. */
final class LargeListReader {

    /**
     * Amount of data.
     *
     * @param runs a multiple of {@value MadeUpRuns#AT_ONCE}, or less than that
     * @param points a multiple of {@value Behavior.Bulk#AT_ONCE}
     */
    record Size(int runs, int points) {}

    private static final int WARM_UP = 10;
    private static final int REQUESTS = 50;
    private static final double MAX_MILLISECONDS = 200;
    private static final double NANOS = 1e9;

    private final Api api;
    private final Size size;
    private final List<ApiFigure> figures = new ArrayList<>();

    LargeListReader(Api api, Size size) {
        this.api = api;
        this.size = size;
    }

    List<ApiFigure> measure(String project) throws InterruptedException {
        String run = fill(new MadeUpRuns(api, project));
        read("a page of 100 runs, the first", "runs?limit=100");
        read("a page of 100 runs, behind 90 %", "runs?limit=100&cursor=" + distantCursor());
        read("a page of 100 runs, by accuracy", "runs?limit=100&sort=-testAccuracy");
        readFiltered();
        read(
                "a curve of %,d points in 500 buckets".formatted(size.points()),
                "runs/%s/curves?name=train/loss&buckets=500".formatted(run));
        return figures;
    }

    /**
     * Reads pages of filters: of a result that many runs have and few have, of the configuration,
     * of both with a sort order that no index has, and one that no run fulfills.
     */
    private void readFiltered() throws InterruptedException {
        filter("half of them by accuracy", "accuracy > 0.75", "");
        filter("one in a thousand by accuracy", "accuracy > 0.9995", "");
        filter(
                "by configuration",
                "execution = virtual and batchSize >= 1 and optimizer in (sgd, adam)",
                "");
        filter(
                "by both, sorted",
                "accuracy > 0.6 and synchronization = bsp and not (seed < 100 or tag = paper)",
                "&sort=-seed");
        filter("none", "experiment ~ absent or accuracy > 1 or period = 5", "");
    }

    private void filter(String what, String condition, String more) throws InterruptedException {
        read(
                "a filter over %,d runs, %s".formatted(size.runs(), what),
                "runs?limit=100&filter="
                        + URLEncoder.encode(condition, StandardCharsets.UTF_8)
                        + more);
    }

    /** Creates many runs, and one with a curve, whose id it returns. */
    private String fill(MadeUpRuns runs) throws InterruptedException {
        long begun = System.nanoTime();
        runs.brief(size.runs());
        figures.add(ApiFigure.of(size.runs() + " runs are queued and run", since(begun), "s"));
        begun = System.nanoTime();
        String run = runs.withCurves(1, size.points()).getFirst();
        figures.add(ApiFigure.of(size.points() + " points are reported", since(begun), "s"));
        return run;
    }

    private static double since(long nanos) {
        return (System.nanoTime() - nanos) / NANOS;
    }

    /** Returns the cursor of the page after nine tenths of the list. */
    private String distantCursor() throws InterruptedException {
        String cursor = "";
        for (int passed = 0; passed < size.runs() * 9 / 10; passed += 100) {
            JsonNode page = api.get("runs?limit=100" + cursor);
            cursor = "&cursor=" + page.path("next").asString();
        }
        return cursor.substring(cursor.indexOf('=') + 1);
    }

    private void read(String what, String path) throws InterruptedException {
        for (int request = 0; request < WARM_UP; request++) {
            api.text(path);
        }
        var times = new Latencies();
        for (int request = 0; request < REQUESTS; request++) {
            long begun = System.nanoTime();
            api.text(path);
            times.addSince(begun);
        }
        figures.add(ApiFigure.of(what + ", median", times.median(), "ms"));
        figures.add(ApiFigure.below(MAX_MILLISECONDS, what + ", p99", times.p99(), "ms"));
    }
}
