package dev.equipoise.launcher;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Points of the loss curves of all ranks of an ended run, compared with the points that its ranks
 * should have reported. A rank reports every n-th round, and n, its stride, is part of each report.
 *
 * @param lost number of points that are missing, and of points dropped at a limit
 * @param doubled number of points that are stored more than once
 * @param unreported for each rank that was lost, the number of points between its last report and
 *     the next generation: the rank died before it reported them, or before it trained them
 */
record PointCount(long lost, long doubled, List<Long> unreported) {

    private static final String TRAINING_LOSS = "train/loss";

    PointCount {
        unreported = List.copyOf(unreported);
    }

    /** Returns the number of points that all lost ranks together have not reported. */
    long sumUnreported() {
        return unreported.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Counts the points of a run.
     *
     * @param events all events of the run, in their order
     * @param metrics its list of metrics
     * @param rounds rounds of an epoch
     * @param servers number of servers, the first ranks, which report no loss
     */
    static PointCount of(
            List<JsonNode> events, JsonNode metrics, int rounds, int epochs, int servers) {
        var count = new Count(rounds, servers);
        events.forEach(count::take);
        count.end((long) epochs * rounds);
        return new PointCount(
                count.lost + metrics.path("droppedPoints").asLong(),
                metrics.path("items")
                        .valueStream()
                        .filter(it -> it.path("name").asString().equals(TRAINING_LOSS))
                        .mapToLong(it -> it.path("points").asLong() - count.points(it))
                        .sum(),
                count.unreported);
    }

    /**
     * Last point of a worker.
     *
     * @param step rounds since the beginning of the run
     * @param stride stride of its last report, in rounds
     */
    private record Last(long step, long stride) {

        /** Returns the number of points that are missing before a step. */
        private long missingBefore(long next, long nextStride) {
            return missingUpTo(next - 1, Math.max(stride, nextStride));
        }

        /** Returns the number of points that are missing up to a step, included. */
        private long missingUpTo(long end) {
            return missingUpTo(end, stride);
        }

        private long missingUpTo(long end, long every) {
            return Math.max(0, end / every - step / every);
        }
    }

    /**
     * Follows each worker through the generations, as its rank may change. A worker that stays in a
     * run must report every point, across generations too.
     */
    private static final class Count {

        private final int rounds;
        private final int servers;
        private final Map<Integer, Set<Long>> stepsByRank = new HashMap<>();
        private final List<Long> unreported = new ArrayList<>();
        private Map<Integer, String> workersByRank = Map.of();
        private Map<String, Last> lastByWorker = Map.of();
        private long furthest;
        private @Nullable Long restartedFrom;
        private long lost;

        private Count(int rounds, int servers) {
            this.rounds = rounds;
            this.servers = servers;
        }

        private void take(JsonNode event) {
            switch (event.path("type").asString()) {
                case "placed" -> begin(event.path("ranks"));
                case "set-back" -> restartedFrom = event.path("epoch").asLong() * rounds;
                case "metrics" -> add(event);
                default -> {}
            }
        }

        /** Begins a generation; the points before have been cut off where it begins. */
        private void begin(JsonNode ranks) {
            long from = restartedFrom == null ? furthest : restartedFrom;
            Map<Integer, String> workers = new HashMap<>();
            Map<String, Last> last = new LinkedHashMap<>();
            ranks.valueStream()
                    .filter(it -> it.path("rank").asInt() >= servers)
                    .forEach(it -> {
                        String worker = it.path("workerName").asString();
                        workers.put(it.path("rank").asInt(), worker);
                        last.put(worker, lastByWorker.getOrDefault(worker, new Last(from, 1)));
                    });
            lastByWorker.forEach((worker, it) -> {
                if (!last.containsKey(worker)) {
                    leave(it.missingUpTo(from));
                }
            });
            workersByRank = workers;
            lastByWorker = last;
            furthest = from;
            restartedFrom = null;
        }

        /** A restart goes back to an epoch that all ranks have reported, also the lost ones. */
        private void leave(long missing) {
            if (restartedFrom == null) {
                unreported.add(missing);
            } else {
                lost += missing;
            }
        }

        private void add(JsonNode event) {
            int rank = event.path("rank").asInt();
            String worker = workersByRank.get(rank);
            if (worker == null || !event.path("name").asString().equals(TRAINING_LOSS)) {
                return;
            }
            Set<Long> steps = stepsByRank.computeIfAbsent(rank, _ -> new HashSet<>());
            long stride = event.path("every").asLong();
            for (JsonNode each : event.path("steps")) {
                long step = each.asLong();
                Last last = lastByWorker.getOrDefault(worker, new Last(0, 1));
                lost += last.missingBefore(step, stride);
                lastByWorker.put(worker, new Last(step, stride));
                steps.add(step);
                furthest = Math.max(furthest, step);
            }
        }

        private void end(long last) {
            lastByWorker.values().forEach(it -> lost += it.missingUpTo(last));
        }

        private long points(JsonNode metric) {
            return stepsByRank.getOrDefault(metric.path("rank").asInt(), Set.of()).size();
        }
    }
}
