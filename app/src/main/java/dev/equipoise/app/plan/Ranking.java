package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.Alternatives;
import dev.equipoise.app.experiment.Alternatives.Alternative;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Calibration.Trust;
import dev.equipoise.app.run.Forecast;
import dev.equipoise.app.run.RunKind;
import dev.equipoise.protocol.Partitioning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that could be done, the best first: pure.
 *
 * @param entries by the time until the target where that is known, and behind these by epoch
 * @param leftOut what was not looked at, with the reason
 */
record Ranking(List<Ranked> entries, List<String> leftOut) {

    Ranking {
        entries = List.copyOf(entries);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * One that is ranked.
     *
     * @param own whether the definition itself says so
     * @param shares by rank, in the middle of the run
     * @param aloneSeconds an epoch of the fastest worker by itself; null where that is not known
     * @param learning how many epochs it would take, where that is known
     * @param tight who has too little memory for what the definition itself says
     */
    record Ranked(
            boolean own,
            Crew crew,
            Alternative alternative,
            Forecast forecast,
            List<Integer> shares,
            Trust trust,
            @Nullable Double aloneSeconds,
            Optional<Learning> learning,
            Optional<Crew.Tight> tight) {

        double epochSeconds() {
            return forecast.prediction().epochSeconds();
        }

        @Nullable Double secondsToTarget() {
            return learning.map(it -> it.epochs() * epochSeconds()).orElse(null);
        }

        RunConfiguration configuration() {
            return alternative.configuration();
        }
    }

    /**
     * Looks at everything.
     *
     * @param own as the definition has them, on the first workers that fit
     * @param others on the fastest workers
     * @param benches the workers at hand for a configuration
     * @param learning how many epochs of a configuration reach the target, where that is known
     */
    static Ranking of(
            List<RunConfiguration> own,
            Optional<Alternatives> others,
            Function<RunConfiguration, Bench> benches,
            Calibration calibration,
            Function<RunConfiguration, Optional<Learning>> learning) {
        return new Maker(benches, calibration, learning).make(own, others);
    }

    private static final class Maker {

        private final Function<RunConfiguration, Bench> benches;
        private final Calibration calibration;
        private final Function<RunConfiguration, Optional<Learning>> learning;
        private final List<Ranked> ranked = new ArrayList<>();
        private final Set<String> leftOut = new LinkedHashSet<>();
        private final Map<String, String> tooSmall = new LinkedHashMap<>();
        private final Set<List<Object>> seen = new HashSet<>();

        Maker(
                Function<RunConfiguration, Bench> benches,
                Calibration calibration,
                Function<RunConfiguration, Optional<Learning>> learning) {
            this.benches = benches;
            this.calibration = calibration;
            this.learning = learning;
        }

        Ranking make(List<RunConfiguration> own, Optional<Alternatives> others) {
            for (RunConfiguration configuration : own) {
                Bench bench = benches.apply(configuration);
                leftOut.addAll(bench.leftOut());
                Crew.ofFirst(configuration, bench.hands(), bench.network())
                        .ifPresentOrElse(
                                crew -> addOwn(configuration, crew),
                                () -> leftOut.add(tooFew(configuration, bench)));
            }
            others.ifPresent(this::addAll);
            return new Ranking(
                    ranked.stream()
                            .map(it -> besides(alone(it), it))
                            .sorted(
                                    Comparator.comparing(
                                                    Ranked::secondsToTarget,
                                                    Comparator.nullsLast(Comparator.naturalOrder()))
                                            .thenComparingDouble(Ranked::epochSeconds))
                            .toList(),
                    Stream.concat(leftOut.stream(), tooSmall.values().stream()).toList());
        }

        private void addAll(Alternatives others) {
            for (Alternative other : others.list()) {
                Bench bench = benches.apply(other.configuration());
                leftOut.addAll(bench.leftOut());
                addOnFastest(others, other, fastest(other.configuration(), bench), bench.network());
            }
        }

        /** Who has too little memory is passed over for the next. */
        private void addOnFastest(
                Alternatives others, Alternative other, List<Hand> fastest, Network network) {
            Optional<Crew> found = Crew.ofFastest(other.configuration(), fastest, network);
            if (found.isEmpty()) {
                return;
            }
            Alternative counted = others.counted(other, found.get().speeds());
            Crew crew = found.get().with(counted.configuration());
            Optional<Crew.Tight> tight = crew.tight();
            if (tight.isEmpty()) {
                add(false, counted, crew, tight);
                return;
            }
            noteTooSmall(tight.get());
            addOnFastest(
                    others,
                    other,
                    fastest.stream()
                            .filter(hand -> !hand.worker().equals(tight.get().worker()))
                            .toList(),
                    network);
        }

        private void noteTooSmall(Crew.Tight tight) {
            tooSmall.putIfAbsent(
                    tight.worker().name(),
                    "worker %s: %s".formatted(tight.worker().name(), Wording.doubtOfMemory(tight)));
        }

        /**
         * What the definition says is placed as it says, but for shares that nobody has room for.
         */
        private void addOwn(RunConfiguration configuration, Crew crew) {
            Optional<Crew.Tight> tight = crew.tight();
            if (tight.isPresent() && !crew.hasRoomForShares()) {
                noteTooSmall(tight.get());
            } else {
                add(true, new Alternative(configuration, Map.of()), crew, tight);
            }
        }

        private static List<Hand> fastest(RunConfiguration configuration, Bench bench) {
            return bench.hands().stream()
                    .sorted(
                            Comparator.comparingDouble(
                                    it -> it.seconds(configuration.training().batchSize())))
                    .toList();
        }

        private static String tooFew(RunConfiguration configuration, Bench bench) {
            return "%s: it wants %d workers, and %d are known well enough"
                    .formatted(
                            Wording.of(configuration),
                            configuration.workersWanted(),
                            bench.hands().size());
        }

        /** What comes to the same shares of the same workers is the same. */
        private void add(
                boolean own, Alternative alternative, Crew crew, Optional<Crew.Tight> tight) {
            Crew.Outlook outlook = crew.outlook(calibration);
            RunConfiguration wanted = alternative.configuration();
            List<Object> same =
                    List.of(
                            wanted.method(),
                            wanted.training(),
                            wanted.dataset(),
                            wanted.network(),
                            wanted.heterogeneity(),
                            wanted.execution(),
                            wanted.channel(),
                            wanted.hysteresis() == null,
                            wanted.partitioning() instanceof Partitioning.Hybrid hybrid
                                    ? hybrid
                                    : outlook.shares(),
                            crew.workers());
            if (!seen.add(same)) {
                return;
            }
            ranked.add(
                    new Ranked(
                            own,
                            crew,
                            alternative,
                            outlook.forecast(),
                            outlook.shares(),
                            Trust.of(calibration.of(RunKind.of(wanted))),
                            null,
                            learning.apply(wanted),
                            tight));
        }

        /** The best of one replica that learns the same, with nobody to serve it. */
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

        private static Ranked besides(@Nullable Double alone, Ranked it) {
            return new Ranked(
                    it.own(),
                    it.crew(),
                    it.alternative(),
                    it.forecast(),
                    it.shares(),
                    it.trust(),
                    alone,
                    it.learning(),
                    it.tight());
        }
    }

    /** Some of the best, and all that the definition says. */
    List<Ranked> best(int most) {
        return Stream.concat(
                        entries.stream().limit(most),
                        entries.stream().skip(most).filter(Ranked::own))
                .toList();
    }
}
