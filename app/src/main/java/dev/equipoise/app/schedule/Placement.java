package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.Alternatives.Choice;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Seating;
import dev.equipoise.app.run.RunQueue.Queued;
import dev.equipoise.app.run.Waiting;
import dev.equipoise.app.worker.Gap;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.Partitioning;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Decides whether a run can have its workers now, all at once, or why it waits. */
final class Placement {

    static final String BUSY = "workers-busy";
    private static final String UNSATISFIABLE = "unsatisfiable";

    /** Those that were not lost themselves ask for work again within it. */
    private static final Duration GATHERING = Duration.ofSeconds(1);

    /** So many are told of those that do not see another. */
    private static final int MOST_GAPS = 3;

    private Placement() {}

    /**
     * How many workers a run gets.
     *
     * @param least with how many it can do
     * @param most that it asks for, and may have
     */
    record Wanted(int least, int most) {

        static Wanted all(RunConfiguration configuration) {
            return new Wanted(configuration.workersWanted(), configuration.workersWanted());
        }
    }

    sealed interface Decision {

        /** These workers, in the order of the ranks. */
        record Place(List<LabWorker> workers) implements Decision {}

        /** Workers must be profiled first. */
        record Profile(List<Need> needs, Waiting reason) implements Decision {}

        /** The links between these workers must be measured first. */
        record ProfileLinks(List<LabWorker> workers, Waiting reason) implements Decision {}

        record Wait(Waiting reason) implements Decision {}

        /** So many workers are wanted, which fit, but are not all idle. */
        record Busy(Waiting reason, int wanted) implements Decision {}
    }

    /**
     * Looks for the oldest workers that fit, as many as the run wants; where fewer are idle, it
     * gets these, when they will do.
     *
     * @param live the lab's workers, oldest first
     * @param isFree whether an idle worker may be taken
     * @param lacking the speeds that are not known of workers that the run would get
     * @param isBeingProfiled whether a worker measures a profile, or is about to
     * @param areLinksKnown whether all links between workers were measured, and sums over them
     *     where the run wants those
     */
    static Decision decide(
            RunConfiguration configuration,
            Wanted wanted,
            List<LabWorker> live,
            Predicate<LabWorker> isFree,
            Function<List<LabWorker>, List<Need>> lacking,
            Predicate<LabWorker> isBeingProfiled,
            Predicate<List<LabWorker>> areLinksKnown) {
        int least = wanted.least();
        Optional<Waiting> unsatisfiable = unsatisfiable(configuration, least, live);
        if (unsatisfiable.isPresent()) {
            return new Decision.Wait(unsatisfiable.get());
        }
        List<LabWorker> fitting = fitting(configuration, live);
        if (fitting.size() < least) {
            return tooFew(configuration, least, fitting, live);
        }
        List<LabWorker> chosen =
                choose(
                        configuration,
                        fitting.stream()
                                .filter(worker -> worker.state() == WorkerState.IDLE)
                                .filter(isFree)
                                .toList(),
                        wanted);
        if (chosen.size() < least) {
            long profiling = fitting.stream().filter(isBeingProfiled).filter(isNot(chosen)).count();
            return chosen.size() + profiling >= least
                    ? new Decision.Wait(profiling(profiling))
                    : busy(
                            least,
                            "%d workers are wanted, and %d of %d are idle"
                                            .formatted(least, chosen.size(), fitting.size())
                                    + cooling(fitting)
                                    + cordonedOff(configuration, live));
        }
        List<Gap> gaps = Workers.gaps(chosen);
        if (!gaps.isEmpty()) {
            return wait(
                    "cluster-forming",
                    "the workers do not all see one another yet: " + described(gaps));
        }
        Optional<Waiting> tooLarge = tooLarge(configuration, chosen);
        if (tooLarge.isPresent()) {
            return new Decision.Busy(tooLarge.get(), fitting.size());
        }
        List<Need> needs = lacking.apply(chosen);
        if (!needs.isEmpty()) {
            return new Decision.Profile(
                    needs, profiling(needs.stream().mapToInt(it -> it.company().size()).sum()));
        }
        return configuration.wantsLinks() && !areLinksKnown.test(chosen)
                ? new Decision.ProfileLinks(chosen, profilingLinks(chosen.size()))
                : new Decision.Place(chosen);
    }

    /** Shares that follow speeds follow memory as well. */
    private static boolean isTooLarge(RunConfiguration configuration, List<LabWorker> chosen) {
        return !configuration.isOpen()
                && configuration.partitioning() instanceof Partitioning.Functional
                && !Seating.fits(configuration, chosen);
    }

    private static Optional<Waiting> tooLarge(
            RunConfiguration configuration, List<LabWorker> chosen) {
        return isTooLarge(configuration, chosen)
                ? Optional.of(
                        new Waiting(
                                "too-little-memory",
                                "%d samples of a round are wanted, and the workers have memory for %d"
                                        .formatted(
                                                configuration.samplesOfRound(),
                                                Seating.room(configuration, chosen))))
                : Optional.empty();
    }

    /**
     * Looks for the workers among which is to be chosen for a run that leaves something to the
     * service: all that fit, are idle, and see one another. All that fit must be profiled first, or
     * the choice would be among those that happened to be.
     *
     * @param isFree whether an idle worker may be taken
     * @param lacking the speeds that are not known of workers
     * @param isBeingProfiled whether a worker measures a profile, or is about to
     */
    static Decision decideOpen(
            RunConfiguration open,
            List<LabWorker> live,
            Predicate<LabWorker> isFree,
            Function<List<LabWorker>, List<Need>> lacking,
            Predicate<LabWorker> isBeingProfiled) {
        int least = leastWanted(open);
        Optional<Waiting> unsatisfiable = unsatisfiable(open, least, live);
        if (unsatisfiable.isPresent()) {
            return new Decision.Wait(unsatisfiable.get());
        }
        List<LabWorker> fitting = fitting(open, live);
        if (fitting.size() < least) {
            return tooFew(open, least, fitting, live);
        }
        List<LabWorker> idle =
                fitting.stream()
                        .filter(worker -> worker.state() == WorkerState.IDLE)
                        .filter(isFree)
                        .toList();
        List<Gap> gaps = Workers.gaps(idle);
        if (!open.isOnOneWorker() && !gaps.isEmpty()) {
            return wait(
                    "cluster-forming",
                    "the workers do not all see one another yet: " + described(gaps));
        }
        if (!open.isOnOneWorker() || open.wantsSpeeds()) {
            List<Need> needs = lacking.apply(idle);
            List<LabWorker> unknown =
                    needs.stream().flatMap(need -> need.company().stream()).toList();
            long profiling =
                    fitting.stream().filter(isBeingProfiled).filter(isNot(unknown)).count();
            if (!unknown.isEmpty()) {
                return new Decision.Profile(needs, profiling(unknown.size() + profiling));
            }
            if (profiling > 0) {
                return new Decision.Wait(profiling(profiling));
            }
        }
        if (idle.size() < least) {
            return busy(
                    least,
                    "%d workers are wanted, and %d of %d are idle"
                                    .formatted(least, idle.size(), fitting.size())
                            + cordonedOff(open, live));
        }
        return new Decision.Place(idle);
    }

    /**
     * How many workers a run that waits cannot do without. One that was set back goes on with
     * fewer, where it is elastic, once those that it had could come back; it gets the others at the
     * end of an epoch.
     */
    static int leastWanted(Queued run, Instant now) {
        RunConfiguration configuration = run.configuration();
        return configuration.isElastic() && run.isSetBackBefore(now.minus(GATHERING))
                ? configuration.topology().servers() + configuration.workers().minimum()
                : leastWanted(configuration);
    }

    /**
     * How many workers a run cannot begin without. Where something is left to the service, servers
     * are not counted, as the best may be to have none.
     */
    static int leastWanted(RunConfiguration configuration) {
        if (!configuration.isOpen()) {
            return configuration.workersWanted();
        }
        boolean isNumberTold =
                configuration.automatic() == null
                        || !configuration.automatic().choices().contains(Choice.REPLICAS);
        return isNumberTold && !configuration.isOnOneWorker()
                ? configuration.workers().replicas()
                : 1;
    }

    /**
     * The oldest, but where these do not see one another, not one that nobody sees, and where they
     * have too little memory, those with the most.
     */
    private static List<LabWorker> choose(
            RunConfiguration configuration, List<LabWorker> idle, Wanted wanted) {
        List<LabWorker> oldest = idle.stream().limit(wanted.most()).toList();
        if (!Workers.gaps(oldest).isEmpty()) {
            List<LabWorker> seen = Workers.seen(idle).stream().limit(wanted.most()).toList();
            return seen.size() >= wanted.least() ? seen : oldest;
        }
        return oldest.size() >= wanted.least() && isTooLarge(configuration, oldest)
                ? largest(idle, wanted.most())
                : oldest;
    }

    /**
     * What a run waits for that all workers together do not have, however idle they were and
     * whatever administrators said of them; empty where they have it.
     */
    static Optional<Waiting> unsatisfiable(RunConfiguration configuration, List<LabWorker> live) {
        return unsatisfiable(configuration, leastWanted(configuration), live);
    }

    private static Optional<Waiting> unsatisfiable(
            RunConfiguration configuration, int wanted, List<LabWorker> live) {
        List<LabWorker> bearing =
                live.stream()
                        .filter(worker -> worker.takesWork() || worker.wouldTakeWork())
                        .filter(worker -> worker.matches(configuration.workers().selector()))
                        .toList();
        if (bearing.size() < wanted) {
            return Optional.of(
                    new Waiting(
                            UNSATISFIABLE,
                            "%d workers are wanted%s, and %d are there"
                                            .formatted(
                                                    wanted,
                                                    selected(configuration),
                                                    fitting(configuration, live).size())
                                    + cordonedOff(configuration, live)));
        }
        List<LabWorker> largest = largest(bearing, Math.max(wanted, configuration.workersWanted()));
        return isTooLarge(configuration, largest)
                ? Optional.of(
                        new Waiting(
                                UNSATISFIABLE,
                                "%d samples of a round are wanted, and the %d workers with the most memory have memory for %d"
                                        .formatted(
                                                configuration.samplesOfRound(),
                                                largest.size(),
                                                Seating.room(configuration, largest))))
                : Optional.empty();
    }

    /** Those with the most memory, in the order in which they were. */
    private static List<LabWorker> largest(List<LabWorker> some, int wanted) {
        Set<LabWorker> largest =
                some.stream()
                        .sorted(
                                Comparator.comparingLong(
                                                (LabWorker worker) -> worker.host().memoryBytes())
                                        .reversed())
                        .limit(wanted)
                        .collect(Collectors.toSet());
        return some.stream().filter(largest::contains).toList();
    }

    /** Those that may get a part in it, now or when they are done with what they do. */
    static List<LabWorker> fitting(RunConfiguration configuration, List<LabWorker> live) {
        return live.stream()
                .filter(LabWorker::takesWork)
                .filter(worker -> worker.matches(configuration.workers().selector()))
                .toList();
    }

    private static Decision tooFew(
            RunConfiguration configuration,
            int wanted,
            List<LabWorker> fitting,
            List<LabWorker> live) {
        return wait(
                "too-few-workers",
                "%d workers are wanted%s, and %d are there"
                                .formatted(wanted, selected(configuration), fitting.size())
                        + cordonedOff(configuration, live));
    }

    /** In words, how many of these have failed just now; nothing where none have. */
    private static String cooling(List<LabWorker> fitting) {
        long cooling = fitting.stream().filter(worker -> worker.coolingUntil() != null).count();
        return cooling == 0
                ? ""
                : ", as %d that failed %s given nothing for a while"
                        .formatted(cooling, cooling == 1 ? "is" : "are");
    }

    /** In words, how many more there would be; nothing where there are none. */
    private static String cordonedOff(RunConfiguration configuration, List<LabWorker> live) {
        long cordoned =
                live.stream()
                        .filter(LabWorker::wouldTakeWork)
                        .filter(worker -> worker.matches(configuration.workers().selector()))
                        .count();
        return cordoned == 0 ? "" : ", besides %d that are cordoned off".formatted(cordoned);
    }

    private static String described(List<Gap> gaps) {
        String some =
                gaps.stream().limit(MOST_GAPS).map(Gap::toString).collect(Collectors.joining(", "));
        int others = gaps.size() - MOST_GAPS;
        return others > 0 ? "%s, and %d more".formatted(some, others) : some;
    }

    private static Decision wait(String code, String message) {
        return new Decision.Wait(new Waiting(code, message));
    }

    private static Decision busy(int wanted, String message) {
        return new Decision.Busy(new Waiting(BUSY, message), wanted);
    }

    private static Waiting profiling(long workers) {
        return new Waiting(
                "profiling", "the profiles of %d workers are being measured".formatted(workers));
    }

    static Waiting profilingLinks(int workers) {
        return new Waiting(
                "profiling-links",
                "the links between %d workers are being measured".formatted(workers));
    }

    private static Predicate<LabWorker> isNot(List<LabWorker> chosen) {
        Set<LabWorker> taken = Set.copyOf(chosen);
        return worker -> !taken.contains(worker);
    }

    private static String selected(RunConfiguration configuration) {
        return configuration.workers().selector().isEmpty()
                ? ""
                : " with the labels " + configuration.workers().selector();
    }
}
