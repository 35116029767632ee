package dev.equipoise.launcher;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The result of the demo; its JSON is the summary.
 *
 * @param speedup epoch time of the first run over that of the last
 */
record DemoResult(String dataset, List<RunResult> runs, double speedup) {

    /**
     * The result of one run.
     *
     * @param shares samples of each rank in an epoch
     */
    record RunResult(
            String partitioning,
            List<Integer> shares,
            double predictedEpochSeconds,
            double epochSeconds,
            double testAccuracy,
            boolean replicasIdentical,
            List<RankResult> ranks) {}

    /** Means of one rank for an epoch. */
    record RankResult(
            int rank,
            String worker,
            int samples,
            double computeSeconds,
            double transferSeconds,
            double waitSeconds,
            long bytesSent) {}

    static DemoResult of(String dataset, JsonNode comparison) {
        JsonNode runs = comparison.path("runs");
        return new DemoResult(
                dataset,
                runs.values().stream().map(DemoResult::run).toList(),
                runs.path(runs.size() - 1).path("speedup").asDouble());
    }

    private static RunResult run(JsonNode run) {
        return new RunResult(
                run.path("partitioning").path("kind").asString(),
                run.path("shares").values().stream().map(JsonNode::asInt).toList(),
                run.path("predictedEpochSeconds").asDouble(),
                run.path("epochSeconds").asDouble(),
                run.path("testAccuracy").asDouble(),
                run.path("replicasIdentical").asBoolean(),
                run.path("ranks").values().stream().map(DemoResult::rank).toList());
    }

    private static RankResult rank(JsonNode rank) {
        return new RankResult(
                rank.path("rank").asInt(),
                rank.path("worker").asString(),
                rank.path("samples").asInt(),
                rank.path("computeSeconds").asDouble(),
                rank.path("transferSeconds").asDouble(),
                rank.path("waitSeconds").asDouble(),
                rank.path("bytesSent").asLong());
    }

    /** Formats the result as a text table. */
    String table(int samples, int epochs, double idealSpeedup) {
        String head =
                String.format(
                        Locale.ROOT,
                        "%s, %,d samples, %d epoch%s, %d replicas, BSP with ring all-reduce over the"
                                + " direct channel%nFigures of a rank are means for an epoch.%n",
                        dataset,
                        samples,
                        epochs,
                        epochs == 1 ? "" : "s",
                        runs.getFirst().ranks().size());
        String foot =
                String.format(
                        Locale.ROOT,
                        "%nSpeedup of %s over %s: %.3f (ideal %.3f)%n",
                        runs.getLast().partitioning(),
                        runs.getFirst().partitioning(),
                        speedup,
                        idealSpeedup);
        return head + runs.stream().map(DemoResult::table).collect(Collectors.joining()) + foot;
    }

    private static String table(RunResult run) {
        String head =
                String.format(
                        Locale.ROOT,
                        "%npartitioning %s%n"
                                + "  epoch    predicted %.2f s, measured %.2f s (prediction %+.1f %%)%n"
                                + "  model    test accuracy %.4f, replicas %s after every epoch%n"
                                + "  rank  worker    share  compute s  transfer s  wait s   MB sent%n",
                        run.partitioning(),
                        run.predictedEpochSeconds(),
                        run.epochSeconds(),
                        100 * (run.predictedEpochSeconds() / run.epochSeconds() - 1),
                        run.testAccuracy(),
                        run.replicasIdentical() ? "bit-identical" : "NOT IDENTICAL");
        return head + run.ranks().stream().map(DemoResult::row).collect(Collectors.joining());
    }

    private static String row(RankResult rank) {
        return String.format(
                Locale.ROOT,
                "  %4d  %-8s %6d  %9.2f  %10.2f  %6.2f  %8.1f%n",
                rank.rank(),
                rank.worker(),
                rank.samples(),
                rank.computeSeconds(),
                rank.transferSeconds(),
                rank.waitSeconds(),
                rank.bytesSent() / 1e6);
    }
}
