package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads one resource after another at a steady rate, without waiting for the previous answer (open
 * loop). A response time is from when the request was due to when its answer was read.
 */
final class OpenLoopReader {

    private static final int PER_SECOND = 20;
    private static final int COMPARED = 4;

    private final Api api;
    private final Map<String, String> paths = new LinkedHashMap<>();
    private final Map<String, Latencies> byKind = new LinkedHashMap<>();
    private final Latencies all = new Latencies();
    private final AtomicReference<@Nullable BenchFailed> failure = new AtomicReference<>();

    OpenLoopReader(Api api, List<String> runs) {
        this.api = api;
        String run = runs.getFirst();
        String compared = String.join("&runs=", runs.subList(0, Math.min(COMPARED, runs.size())));
        paths.put("a page of 100 runs", "runs?limit=100");
        paths.put("a run", "runs/" + run);
        paths.put("a page of 100 workers", "workers?limit=100");
        paths.put("a curve", "runs/%s/curves?name=train/loss&buckets=500".formatted(run));
        paths.put("the list of curves", "runs/%s/metrics".formatted(run));
        paths.put("a comparison", "comparisons?runs=" + compared);
        paths.keySet().forEach(kind -> byKind.put(kind, new Latencies()));
    }

    /** Reads for a duration. */
    void read(Duration duration) throws InterruptedException {
        List<Map.Entry<String, String>> kinds = List.copyOf(paths.entrySet());
        Schedule schedule =
                Schedule.every(Duration.ofSeconds(1).dividedBy(PER_SECOND), Duration.ZERO);
        long requests = duration.toMillis() * PER_SECOND / Duration.ofSeconds(1).toMillis();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int request = 0; request < requests; request++) {
                Map.Entry<String, String> kind = kinds.get(request % kinds.size());
                long due = schedule.await();
                threads.execute(() -> read(kind.getKey(), kind.getValue(), due));
            }
        }
        BenchFailed first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    private void read(String kind, String path, long due) {
        try {
            api.text(path);
            all.addSince(due);
            byKind.getOrDefault(kind, all).addSince(due);
        } catch (BenchFailed e) {
            failure.compareAndSet(null, e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the response times of all resources together, and of each. */
    List<ApiFigure> figures() {
        List<ApiFigure> figures = new ArrayList<>();
        figures.add(ApiFigure.of("reads, median", all.median(), "ms"));
        figures.add(ApiFigure.of("reads, p90", all.quantile(0.9), "ms"));
        figures.add(ApiFigure.below(100, "reads, p99", all.p99(), "ms"));
        figures.add(ApiFigure.of("reads, slowest", all.most(), "ms"));
        byKind.forEach((kind, times) ->
                figures.add(ApiFigure.of("  %s, p99".formatted(kind), times.p99(), "ms")));
        return figures;
    }
}
