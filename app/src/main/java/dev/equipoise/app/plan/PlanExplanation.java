package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.plan.Ranking.Ranked;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.prediction.PredictionClass;
import dev.equipoise.app.prediction.RankSeconds;
import dev.equipoise.performance.statistics.TieGroups.Interval;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explains the entries of a plan in sentences. */
final class PlanExplanation {

    /** Least fraction of a round from which a wait time is mentioned. */
    private static final double MIN_WAIT = 0.05;

    private static final double KILO = 1e3;
    private static final double MEGA = 1e6;
    private static final double GIGA = 1e9;

    private PlanExplanation() {}

    /** A short label of a configuration. */
    static String of(RunConfiguration configuration) {
        int replicas = configuration.workers().replicas();
        return configuration.ranks() == 1
                ? "one worker alone"
                : "%s over %s, %s, %s"
                        .formatted(
                                synchronization(configuration.synchronization()),
                                topology(configuration.topology()),
                                shares(configuration.partitioning()),
                                replicas == 1 ? "1 replica" : replicas + " replicas");
    }

    private static String synchronization(Synchronization synchronization) {
        String kind = PredictionClass.synchronization(synchronization);
        return switch (synchronization) {
            case Synchronization.LocalSgd local -> "%s %d".formatted(kind, local.period());
            case Synchronization.DiLoCo outer -> "%s %d".formatted(kind, outer.period());
            case Synchronization.StaleSynchronous stale -> "%s %d".formatted(kind, stale.bound());
            case Synchronization.Bsp _, Synchronization.Async _, Synchronization.AdPsgd _ ->
                    kind + PredictionClass.variant(synchronization);
        };
    }

    private static String topology(Topology topology) {
        return topology instanceof Topology.Gossip gossip
                ? "gossip "
                        + switch (gossip.schedule()) {
                            case Topology.Partners.Linear _ -> "linear";
                            case Topology.Partners.Dissemination _ -> "dissemination";
                            case Topology.Partners.Fixed _ -> "fixed";
                            case Topology.Partners.RandomMatching _ -> "random-matching";
                        }
                : PredictionClass.topology(topology);
    }

    private static String shares(Partitioning partitioning) {
        return switch (partitioning) {
            case Partitioning.Equal _ -> "equal shares";
            case Partitioning.Functional it ->
                    it.kernel() == Partitioning.SpeedKernel.GEMM
                            ? "functional shares by GEMM"
                            : "functional shares";
            case Partitioning.Constant _ -> "constant shares";
            case Partitioning.Dynamic _ -> "dynamic shares";
            case Partitioning.BatchCounts _ -> "batch counts";
            case Partitioning.Hybrid(var nodeParallel, var _) ->
                    nodeParallel == null
                            ? "hidden units shared in the best groups"
                            : "hidden units shared by " + nodeParallel;
        };
    }

    /** The reasons for the speed of an entry. */
    static String reason(Ranked entry) {
        List<String> sentences = new ArrayList<>();
        if (entry.configuration().ranks() == 1) {
            sentences.add(
                    "%s exchanges nothing".formatted(entry.candidate().candidateWorker(0).name()));
        } else {
            sentences.add(communication(entry));
            addWait(entry, sentences);
        }
        addCounts(entry, sentences);
        addAlone(entry, sentences);
        entry.learning().ifPresent(it -> sentences.add(learning(entry, it)));
        return String.join("; ", sentences);
    }

    private static void addCounts(Ranked entry, List<String> sentences) {
        List<Plan.Counts> counts = Plan.Counts.of(entry);
        if (counts.isEmpty()) {
            return;
        }
        Plan.Counts own = counts.getFirst();
        Plan.Counts best = mostEfficient(counts);
        sentences.add(
                "%s mini-batches a round keep %.0f %% of the replicas busy"
                        .formatted(own.counts(), 100 * own.efficiency()));
        if (best.efficiency() > own.efficiency()) {
            sentences.add(
                    "%s would keep %.0f %%".formatted(best.counts(), 100 * best.efficiency()));
        }
    }

    private static Plan.Counts mostEfficient(List<Plan.Counts> counts) {
        return counts.stream()
                .max(Comparator.comparingDouble(Plan.Counts::efficiency))
                .orElseThrow();
    }

    private static String communication(Ranked entry) {
        Prediction prediction = entry.forecast().prediction();
        double share =
                prediction.epochSeconds() > 0
                        ? prediction.exchangeSeconds() / prediction.epochSeconds()
                        : 0;
        Long bytes = prediction.bytes();
        return "communication is %s of a round".formatted(percent(share))
                + (bytes == null
                        ? ""
                        : ": %s %s"
                                .formatted(
                                        mover(entry.configuration()),
                                        bytes(bytes / (double) entry.configuration().rounds())));
    }

    private static String mover(RunConfiguration configuration) {
        int replicas = configuration.workers().replicas();
        return switch (configuration.topology()) {
            case Topology.AllReduce(var algorithm, var _) ->
                    "%s over %d workers moves"
                            .formatted(
                                    algorithm == Topology.Algorithm.RING
                                            ? "a ring"
                                            : algorithm
                                                    .name()
                                                    .toLowerCase(Locale.ROOT)
                                                    .replace('_', '-'),
                                    replicas);
            case Topology.ParameterServer(int servers, var _, var _) ->
                    servers == 1
                            ? "one server for %d workers moves".formatted(replicas)
                            : "%d servers for %d workers move".formatted(servers, replicas);
            case Topology.Gossip _ -> "gossip between %d workers moves".formatted(replicas);
        };
    }

    /** Names the replica with the longest wait time. */
    private static void addWait(Ranked entry, List<String> sentences) {
        int longest = longestWaiting(entry);
        double share = entry.forecast().ranks().get(longest).waitSeconds() / entry.epochSeconds();
        if (share >= MIN_WAIT) {
            sentences.add(
                    "%s would wait %s of each round"
                            .formatted(
                                    entry.configuration().isOnOneWorker()
                                            ? "rank " + longest
                                            : entry.candidate().candidateWorker(longest).name(),
                                    percent(share)));
        }
    }

    private static int longestWaiting(Ranked entry) {
        List<RankSeconds> ranks = entry.forecast().ranks();
        int longest = entry.configuration().topology().servers();
        for (int rank = longest; rank < ranks.size(); rank++) {
            if (ranks.get(rank).waitSeconds() > ranks.get(longest).waitSeconds()) {
                longest = rank;
            }
        }
        return longest;
    }

    private static void addAlone(Ranked entry, List<String> sentences) {
        Double alone = entry.aloneSeconds();
        if (alone == null || entry.configuration().ranks() == 1) {
            return;
        }
        sentences.add(
                alone < entry.epochSeconds()
                        ? "one worker alone is faster: %s an epoch instead of %s"
                                .formatted(seconds(alone), seconds(entry.epochSeconds()))
                        : "%s times as fast as one worker alone"
                                .formatted(number("%.2f", alone / entry.epochSeconds())));
    }

    private static String learning(Ranked entry, EpochsToAccuracy learning) {
        int replicas = entry.configuration().workers().replicas();
        return "%d earlier runs%s reached the target in %s epochs%s"
                .formatted(
                        learning.runs(),
                        learning.replicas() == replicas
                                ? ""
                                : " with %d replicas, the closest number,"
                                        .formatted(learning.replicas()),
                        number("%.1f", learning.epochs()),
                        learning.missed() == 0 ? "" : ", %d did not".formatted(learning.missed()));
    }

    /** The caveat that the epochs to accuracy are unknown, or known from one run alone. */
    private static Optional<String> epochsCaveat(Ranked entry) {
        Optional<EpochsToAccuracy> learning = entry.learning();
        if (learning.isPresent()) {
            return learning.get().runs() == 1
                    ? Optional.of("its epochs to the target are those of a single earlier run")
                    : Optional.empty();
        }
        return entry.configuration().ranks() == 1
                        || entry.configuration().synchronization() instanceof Synchronization.Bsp
                ? Optional.empty()
                : Optional.of("it may need more epochs than bsp, and how many is unknown");
    }

    /** All caveats of an entry. */
    static List<String> caveats(Ranked entry) {
        return Stream.of(
                        entry.forecast().prediction().doubts().stream(),
                        epochsCaveat(entry).stream(),
                        entry.memoryShortage().map(PlanExplanation::memoryCaveat).stream())
                .flatMap(it -> it)
                .toList();
    }

    static String memoryCaveat(PlanCandidate.MemoryShortage shortage) {
        return "a replica needs about %.0f MB, and %s has %.0f MB, half of it for training"
                .formatted(
                        shortage.neededBytes() / MEGA,
                        shortage.worker().name(),
                        shortage.worker().host().memoryBytes() / MEGA);
    }

    /** The uncertainty with its caveats, to append to a reason; empty without caveats. */
    static String uncertainty(Ranked entry) {
        Double uncertainty = entry.forecast().prediction().uncertainty();
        List<String> caveats = caveats(entry);
        return uncertainty == null || caveats.isEmpty()
                ? ""
                : "; uncertain by %s, as %s"
                        .formatted(percent(uncertainty), String.join(", and ", caveats));
    }

    /**
     * The advice of a plan: what the predictions tell about the best entries, and the doubts about
     * it.
     *
     * @param tied the first tie group
     */
    static String advice(List<Ranked> tied) {
        Ranked first = tied.getFirst();
        return Stream.of(
                        tied.size() == 1
                                ? "Fastest %s: %s.".formatted(goal(first), expected(first))
                                : tie(tied),
                        first.learning().isPresent()
                                ? ""
                                : "Only epoch times are ranked, as epochs to accuracy are unknown.",
                        epochsCaveat(first).map("For the first, %s."::formatted).orElse(""))
                .filter(it -> !it.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static String tie(List<Ranked> tied) {
        List<Double> seconds = tied.stream().map(PlanExplanation::rankedSeconds).toList();
        return "%d configurations tie for the fastest %s, from %s to %s: their intervals overlap. The first is %s."
                .formatted(
                        tied.size(),
                        goal(tied.getFirst()),
                        seconds(Collections.min(seconds)),
                        seconds(Collections.max(seconds)),
                        expected(tied.getFirst()));
    }

    private static String goal(Ranked entry) {
        return entry.learning().isPresent() ? "way to the target" : "epoch";
    }

    private static double rankedSeconds(Ranked entry) {
        return Objects.requireNonNullElse(entry.secondsToTarget(), entry.epochSeconds());
    }

    private static String expected(Ranked entry) {
        Interval interval = entry.rankedInterval();
        String what = "%s, %s".formatted(name(entry), seconds(rankedSeconds(entry)));
        return interval.low() < interval.high()
                ? "%s (expected between %s and %s)"
                        .formatted(what, seconds(interval.low()), seconds(interval.high()))
                : what;
    }

    private static String name(Ranked entry) {
        return entry.configuration().ranks() == 1
                ? "one worker alone, " + entry.candidate().candidateWorker(0).name()
                : of(entry.configuration());
    }

    static String seconds(double seconds) {
        return number(seconds < 10 ? "%.3f s" : "%.1f s", seconds);
    }

    private static String percent(double share) {
        return number("%.0f %%", 100 * share);
    }

    private static String bytes(double bytes) {
        if (bytes >= GIGA) {
            return number("%.2f GB", bytes / GIGA);
        }
        return bytes >= MEGA ? number("%.2f MB", bytes / MEGA) : number("%.1f kB", bytes / KILO);
    }

    private static String number(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
