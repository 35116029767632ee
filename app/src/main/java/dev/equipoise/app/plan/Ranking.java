package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.app.experiment.CandidateConfigurations;
import dev.equipoise.app.experiment.CandidateConfigurations.Alternative;
import dev.equipoise.app.plan.BiasCorrection.Trust;
import dev.equipoise.app.prediction.Forecast;
import dev.equipoise.app.prediction.PredictionClass;
import dev.equipoise.performance.statistics.TieGroups;
import dev.equipoise.performance.statistics.TieGroups.Interval;
import dev.equipoise.protocol.Partitioning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ranks plan candidates, the fastest first. Pure.
 *
 * @param ties tie groups, the fastest first: those with a known time to the target accuracy, then
 *     the others by epoch time. The prediction intervals of a tie group overlap that of its first
 *     entry.
 * @param leftOut messages about excluded configurations and workers
 */
record Ranking(List<List<Ranked>> ties, List<String> leftOut) {

    Ranking {
        ties = ties.stream().map(List::copyOf).toList();
        leftOut = List.copyOf(leftOut);
    }

    /**
     * A ranked candidate.
     *
     * @param own whether it is the submitted configuration
     * @param shares by rank, in the middle of the run
     * @param aloneSeconds epoch time of the fastest single worker; null if unknown
     * @param learning epochs to the target accuracy; empty if unknown
     * @param memoryShortage a worker with too little memory; only of a submitted configuration
     */
    record Ranked(
            boolean own,
            PlanCandidate candidate,
            Alternative alternative,
            Forecast forecast,
            List<Integer> shares,
            Trust trust,
            @Nullable Double aloneSeconds,
            Optional<EpochsToAccuracy> learning,
            Optional<PlanCandidate.MemoryShortage> memoryShortage) {

        double epochSeconds() {
            return forecast.prediction().epochSeconds();
        }

        @Nullable Double secondsToTarget() {
            return learning.map(it -> it.epochs() * epochSeconds()).orElse(null);
        }

        /** Returns the prediction interval of an epoch, in seconds; a point if it is unknown. */
        Interval epochInterval() {
            Double uncertainty = forecast.prediction().uncertainty();
            double factor = 1 + Objects.requireNonNullElse(uncertainty, 0.0);
            return new Interval(epochSeconds() / factor, epochSeconds() * factor);
        }

        /**
         * Returns the interval of the time to the target, in seconds: from the least epochs in the
         * fastest expected time to the most epochs in the slowest; null if it is unknown.
         */
        @Nullable Interval targetInterval() {
            Interval epoch = epochInterval();
            return learning.map(it ->
                            new Interval(
                                    it.leastEpochs() * epoch.low(), it.mostEpochs() * epoch.high()))
                    .orElse(null);
        }

        /** Returns the interval by which the entry is ranked. */
        Interval rankedInterval() {
            return Objects.requireNonNullElseGet(targetInterval(), this::epochInterval);
        }

        private boolean overlaps(Ranked other) {
            return rankedInterval().overlaps(other.rankedInterval());
        }

        private boolean isTargetKnown() {
            return learning.isPresent();
        }

        RunConfiguration configuration() {
            return alternative.configuration();
        }
    }

    /**
     * Ranks submitted configurations and alternatives.
     *
     * @param own submitted configurations, on the first candidate workers
     * @param others alternatives, on the fastest candidate workers
     * @param candidatesOf the candidate workers of a configuration
     * @param learning epochs of a configuration to the target accuracy, if known
     */
    static Ranking of(
            List<RunConfiguration> own,
            Optional<CandidateConfigurations> others,
            Function<RunConfiguration, CandidateWorkers> candidatesOf,
            BiasCorrection biasCorrection,
            Function<RunConfiguration, Optional<EpochsToAccuracy>> learning) {
        return new Builder(candidatesOf, biasCorrection, learning).make(own, others);
    }

    private static final class Builder {

        private final Function<RunConfiguration, CandidateWorkers> candidatesOf;
        private final BiasCorrection biasCorrection;
        private final Function<RunConfiguration, Optional<EpochsToAccuracy>> learning;
        private final List<Ranked> ranked = new ArrayList<>();
        private final Set<String> leftOut = new LinkedHashSet<>();
        private final Map<String, String> tooSmall = new LinkedHashMap<>();
        private final Set<List<Object>> seen = new HashSet<>();

        Builder(
                Function<RunConfiguration, CandidateWorkers> candidatesOf,
                BiasCorrection biasCorrection,
                Function<RunConfiguration, Optional<EpochsToAccuracy>> learning) {
            this.candidatesOf = candidatesOf;
            this.biasCorrection = biasCorrection;
            this.learning = learning;
        }

        Ranking make(List<RunConfiguration> own, Optional<CandidateConfigurations> others) {
            for (RunConfiguration configuration : own) {
                CandidateWorkers candidates = candidatesOf.apply(configuration);
                leftOut.addAll(candidates.leftOut());
                PlanCandidate.ofFirst(configuration, candidates.workers(), candidates.linkModel())
                        .ifPresentOrElse(
                                candidate -> addOwn(configuration, candidate),
                                () -> leftOut.add(tooFew(configuration, candidates)));
            }
            others.ifPresent(this::addAll);
            List<Ranked> fastestFirst =
                    ranked.stream()
                            .map(it -> withAlone(alone(it), it))
                            .sorted(
                                    Comparator.comparing(
                                                    Ranked::secondsToTarget,
                                                    Comparator.nullsLast(Comparator.naturalOrder()))
                                            .thenComparingDouble(Ranked::epochSeconds))
                            .toList();
            return new Ranking(
                    ties(fastestFirst),
                    Stream.concat(leftOut.stream(), tooSmall.values().stream()).toList());
        }

        /** Entries with a known time to the target never tie with those without. */
        private static List<List<Ranked>> ties(List<Ranked> fastestFirst) {
            return Stream.of(
                            fastestFirst.stream().filter(Ranked::isTargetKnown).toList(),
                            fastestFirst.stream().filter(it -> !it.isTargetKnown()).toList())
                    .flatMap(it -> TieGroups.of(it, Ranked::overlaps).stream())
                    .toList();
        }

        private void addAll(CandidateConfigurations others) {
            for (Alternative other : others.list()) {
                CandidateWorkers candidates = candidatesOf.apply(other.configuration());
                leftOut.addAll(candidates.leftOut());
                addOnFastest(
                        others,
                        other,
                        fastest(other.configuration(), candidates),
                        candidates.linkModel());
            }
        }

        /** Adds an alternative; skips workers with too little memory for it. */
        private void addOnFastest(
                CandidateConfigurations others,
                Alternative other,
                List<CandidateWorker> fastest,
                LinkModel linkModel) {
            Optional<PlanCandidate> found =
                    PlanCandidate.ofFastest(other.configuration(), fastest, linkModel);
            if (found.isEmpty()) {
                return;
            }
            Alternative counted = others.counted(other, found.get().speeds());
            PlanCandidate candidate = found.get().with(counted.configuration());
            Optional<PlanCandidate.MemoryShortage> shortage = candidate.memoryShortage();
            if (shortage.isEmpty()) {
                add(false, counted, candidate, shortage);
                return;
            }
            noteTooSmall(shortage.get());
            addOnFastest(
                    others,
                    other,
                    fastest.stream()
                            .filter(it -> !it.worker().equals(shortage.get().worker()))
                            .toList(),
                    linkModel);
        }

        private void noteTooSmall(PlanCandidate.MemoryShortage shortage) {
            tooSmall.putIfAbsent(
                    shortage.worker().name(),
                    "worker %s: %s"
                            .formatted(
                                    shortage.worker().name(),
                                    PlanExplanation.memoryCaveat(shortage)));
        }

        /**
         * Adds a submitted configuration even with too little memory, as it would be placed that
         * way; excludes it only if its functional shares exceed the memory.
         */
        private void addOwn(RunConfiguration configuration, PlanCandidate candidate) {
            Optional<PlanCandidate.MemoryShortage> shortage = candidate.memoryShortage();
            if (shortage.isPresent() && !candidate.fitsMemory()) {
                noteTooSmall(shortage.get());
            } else {
                add(true, new Alternative(configuration, Map.of()), candidate, shortage);
            }
        }

        private static List<CandidateWorker> fastest(
                RunConfiguration configuration, CandidateWorkers candidates) {
            return candidates.workers().stream()
                    .sorted(
                            Comparator.comparingDouble(
                                    it -> it.seconds(configuration.training().batchSize())))
                    .toList();
        }

        private static String tooFew(RunConfiguration configuration, CandidateWorkers candidates) {
            return "%s: it needs %d workers, and %d have known speeds"
                    .formatted(
                            PlanExplanation.of(configuration),
                            configuration.workersWanted(),
                            candidates.workers().size());
        }

        /** Adds a candidate unless an equivalent one exists: same method, workers and shares. */
        private void add(
                boolean own,
                Alternative alternative,
                PlanCandidate candidate,
                Optional<PlanCandidate.MemoryShortage> shortage) {
            PlanCandidate.Predicted predicted = candidate.predict(biasCorrection);
            RunConfiguration wanted = alternative.configuration();
            List<Object> same =
                    List.of(
                            wanted.method(),
                            wanted.training(),
                            wanted.dataset(),
                            wanted.network(),
                            wanted.initial().map(Workload.Initial::run),
                            wanted.heterogeneity(),
                            wanted.execution(),
                            wanted.channel(),
                            wanted.hysteresis() == null,
                            wanted.partitioning() instanceof Partitioning.Hybrid hybrid
                                    ? hybrid
                                    : predicted.shares(),
                            candidate.workers());
            if (!seen.add(same)) {
                return;
            }
            ranked.add(
                    new Ranked(
                            own,
                            candidate,
                            alternative,
                            predicted.forecast(),
                            predicted.shares(),
                            Trust.of(biasCorrection.of(PredictionClass.of(wanted))),
                            null,
                            learning.apply(wanted),
                            shortage));
        }

        /** Epoch time of the fastest single worker on the same data, network and training. */
        private @Nullable Double alone(Ranked other) {
            return ranked.stream()
                    .filter(it -> it.configuration().ranks() == 1)
                    .filter(it -> isSameWork(it.configuration(), other.configuration()))
                    .map(Ranked::epochSeconds)
                    .min(Double::compare)
                    .orElse(null);
        }

        private static boolean isSameWork(RunConfiguration one, RunConfiguration other) {
            return one.dataset().equals(other.dataset())
                    && one.network().equals(other.network())
                    && one.training().equals(other.training());
        }

        private static Ranked withAlone(@Nullable Double alone, Ranked it) {
            return new Ranked(
                    it.own(),
                    it.candidate(),
                    it.alternative(),
                    it.forecast(),
                    it.shares(),
                    it.trust(),
                    alone,
                    it.learning(),
                    it.memoryShortage());
        }
    }

    /** All entries, tie group by tie group. */
    List<Ranked> entries() {
        return ties.stream().flatMap(List::stream).toList();
    }

    /**
     * A ranked candidate with its place.
     *
     * @param tie number of its tie group, from 1
     */
    record Placed(int tie, Ranked ranked) {}

    /** The best entries and all submitted configurations. */
    List<Placed> best(int limit) {
        List<Placed> placed =
                IntStream.range(0, ties.size())
                        .boxed()
                        .flatMap(tie -> ties.get(tie).stream().map(it -> new Placed(tie + 1, it)))
                        .toList();
        return Stream.concat(
                        placed.stream().limit(limit),
                        placed.stream().skip(limit).filter(it -> it.ranked().own()))
                .toList();
    }
}
