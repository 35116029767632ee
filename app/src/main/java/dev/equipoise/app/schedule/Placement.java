package dev.equipoise.app.schedule;

import dev.equipoise.app.allocation.ProfileGap;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.ReachabilityFailure;
import dev.equipoise.app.worker.UnreachablePeer;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides whether a run gets all its workers now (gang scheduling), needs measurements first, or
 * waits.
 */
final class Placement {

    static final String BUSY = "workers-busy";
    static final String UNREACHABLE = "unreachable-workers";

    /** Number of unreachable peers, or of failures to reach a worker, that a message names. */
    private static final int MAX_GAPS = 3;

    private Placement() {}

    /**
     * Bounds of the number of workers of a run.
     *
     * @param minimum number without which it cannot run
     * @param maximum number that it asks for and its quota allows
     */
    record Wanted(int minimum, int maximum) {

        static Wanted all(RunConfiguration configuration) {
            return new Wanted(configuration.workersWanted(), configuration.workersWanted());
        }
    }

    sealed interface Decision {

        /** Start the run on these workers, in the order of the ranks. */
        record Place(List<LabWorker> workers) implements Decision {}

        /** Profile workers first. */
        record Profile(List<ProfileGap> profileGaps, WaitReason reason) implements Decision {}

        /** Measure the links between these workers first. */
        record ProfileLinks(List<LabWorker> workers, WaitReason reason) implements Decision {}

        record Wait(WaitReason reason) implements Decision {}

        /** Wait for busy workers: enough are eligible, but too few of them idle. */
        record Busy(WaitReason reason, int wanted) implements Decision {}
    }

    /**
     * Takes the oldest eligible workers, up to the maximum; takes fewer if at least the minimum is
     * idle.
     *
     * @param live the lab's workers, oldest first
     * @param isFree whether an idle worker may be taken
     * @param missingProfiles the profile gaps of the workers that the run would get
     * @param isBeingProfiled whether a worker measures a profile, or is about to
     * @param areLinksKnown whether all links between workers are measured, and all-reduces over
     *     them if the run needs those
     */
    static Decision decide(
            RunConfiguration configuration,
            Wanted wanted,
            List<LabWorker> live,
            Predicate<LabWorker> isFree,
            Function<List<LabWorker>, List<ProfileGap>> missingProfiles,
            Predicate<LabWorker> isBeingProfiled,
            Predicate<List<LabWorker>> areLinksKnown) {
        var lab = new Lab(configuration, live, isFree, isBeingProfiled);
        int minimum = wanted.minimum();
        return lab.tooFew(minimum)
                .orElseGet(() -> {
                    List<LabWorker> chosen = choose(configuration, lab.reachableIdle(), wanted);
                    return chosen.size() < minimum
                            ? lab.tooFewReachable(minimum)
                                    .orElseGet(() -> lab.waitBeside(chosen, minimum))
                            : decide(
                                    configuration,
                                    chosen,
                                    lab.eligible().size(),
                                    missingProfiles,
                                    areLinksKnown);
                });
    }

    /**
     * The workers of the lab as one run sees them.
     *
     * @param configuration the configuration of the run
     * @param eligible the workers that it may get, now or after their current work
     * @param live all workers
     */
    private record Lab(
            RunConfiguration configuration,
            List<LabWorker> eligible,
            List<LabWorker> live,
            Predicate<LabWorker> isFree,
            Predicate<LabWorker> isBeingProfiled) {

        Lab(
                RunConfiguration configuration,
                List<LabWorker> live,
                Predicate<LabWorker> isFree,
                Predicate<LabWorker> isBeingProfiled) {
            this(
                    configuration,
                    Feasibility.eligible(configuration, live),
                    live,
                    isFree,
                    isBeingProfiled);
        }

        /** The decision if too few workers are eligible; empty if there are enough. */
        Optional<Decision> tooFew(int minimum) {
            Optional<Decision> unsatisfiable =
                    Feasibility.unsatisfiable(configuration, minimum, live).map(Decision.Wait::new);
            return unsatisfiable.isPresent() || eligible.size() >= minimum
                    ? unsatisfiable
                    : Optional.of(
                            Placement.wait(
                                    "too-few-workers",
                                    "%d workers needed%s, %d available"
                                                    .formatted(
                                                            minimum,
                                                            Feasibility.selected(configuration),
                                                            eligible.size())
                                            + Feasibility.cordonedOff(configuration, live)));
        }

        /**
         * The decision if enough workers are eligible, but too few of them reach one another; empty
         * if enough do.
         */
        Optional<Decision> tooFewReachable(int minimum) {
            if (configuration.isOnOneWorker()) {
                return Optional.empty();
            }
            int reachable = Workers.reachable(eligible, live).size();
            return reachable >= minimum
                    ? Optional.empty()
                    : Optional.of(
                            Placement.wait(
                                    UNREACHABLE,
                                    "%d workers needed that reach one another, %d of %d do: %s"
                                            .formatted(
                                                    minimum,
                                                    reachable,
                                                    eligible.size(),
                                                    described(failuresAmong(eligible)))));
        }

        private List<String> failuresAmong(List<LabWorker> some) {
            return Workers.reachabilityFailures(some, live).stream()
                    .map(ReachabilityFailure::message)
                    .toList();
        }

        /** The idle workers that can take part in the same run; all if it needs one alone. */
        List<LabWorker> reachableIdle() {
            return configuration.isOnOneWorker() ? idle() : Workers.reachable(idle(), live);
        }

        /** The part of a message that tells why idle workers are not taken; empty if all can be. */
        private String outOfReach() {
            List<String> failures =
                    configuration.isOnOneWorker() ? List.of() : failuresAmong(idle());
            return failures.isEmpty() ? "" : "; " + described(failures);
        }

        List<LabWorker> idle() {
            return eligible.stream()
                    .filter(worker -> worker.state() == WorkerState.IDLE)
                    .filter(isFree)
                    .toList();
        }

        long profilingBeside(List<LabWorker> chosen) {
            return eligible.stream().filter(isBeingProfiled).filter(isNot(chosen)).count();
        }

        /** Waits for profiles under way if these free enough workers, else for busy workers. */
        Decision waitBeside(List<LabWorker> chosen, int minimum) {
            long profiling = profilingBeside(chosen);
            return chosen.size() + profiling >= minimum
                    ? new Decision.Wait(profiling(profiling))
                    : busy(minimum, tooFewIdle(chosen, minimum, cooling(eligible)));
        }

        String tooFewIdle(List<LabWorker> idle, int minimum, String cooling) {
            return "%d workers needed, %d of %d eligible workers idle"
                            .formatted(minimum, idle.size(), eligible.size())
                    + cooling
                    + Feasibility.cordonedOff(configuration, live)
                    + outOfReach();
        }
    }

    /** Decides on a run for which enough workers are idle. */
    private static Decision decide(
            RunConfiguration configuration,
            List<LabWorker> chosen,
            int eligible,
            Function<List<LabWorker>, List<ProfileGap>> missingProfiles,
            Predicate<List<LabWorker>> areLinksKnown) {
        List<UnreachablePeer> gaps = Workers.gaps(chosen);
        if (!gaps.isEmpty()) {
            return clusterForming(gaps);
        }
        Optional<WaitReason> tooLarge = Feasibility.tooLarge(configuration, chosen);
        if (tooLarge.isPresent()) {
            return new Decision.Busy(tooLarge.get(), eligible);
        }
        List<ProfileGap> profileGaps = missingProfiles.apply(chosen);
        if (!profileGaps.isEmpty()) {
            return new Decision.Profile(profileGaps, profiling(workers(profileGaps).size()));
        }
        return configuration.wantsLinks() && !areLinksKnown.test(chosen)
                ? new Decision.ProfileLinks(chosen, profilingLinks(chosen.size()))
                : new Decision.Place(chosen);
    }

    private static Decision clusterForming(List<UnreachablePeer> gaps) {
        return wait(
                "cluster-forming",
                "the workers do not all see one another yet: "
                        + described(gaps.stream().map(UnreachablePeer::toString).toList()));
    }

    private static List<LabWorker> workers(List<ProfileGap> gaps) {
        return gaps.stream().flatMap(gap -> gap.company().stream()).toList();
    }

    /**
     * Finds the candidate workers of a run with automatic configuration: all that are eligible, are
     * idle, and see one another. All of them must be profiled first, or the choice would depend on
     * which workers happen to be profiled.
     *
     * @param isFree whether an idle worker may be taken
     * @param missingProfiles the profile gaps of workers
     * @param isBeingProfiled whether a worker measures a profile, or is about to
     */
    static Decision decideOpen(
            RunConfiguration open,
            List<LabWorker> live,
            Predicate<LabWorker> isFree,
            Function<List<LabWorker>, List<ProfileGap>> missingProfiles,
            Predicate<LabWorker> isBeingProfiled) {
        int minimum = Feasibility.minimumWorkers(open);
        var lab = new Lab(open, live, isFree, isBeingProfiled);
        return lab.tooFew(minimum).orElseGet(() -> decideOpen(open, minimum, lab, missingProfiles));
    }

    private static Decision decideOpen(
            RunConfiguration open,
            int minimum,
            Lab lab,
            Function<List<LabWorker>, List<ProfileGap>> missingProfiles) {
        List<LabWorker> idle = lab.reachableIdle();
        List<UnreachablePeer> gaps = open.isOnOneWorker() ? List.of() : Workers.gaps(idle);
        if (!gaps.isEmpty()) {
            return clusterForming(gaps);
        }
        Optional<Decision> unknown =
                open.isOnOneWorker() && !open.wantsSpeeds()
                        ? Optional.empty()
                        : profiles(lab, missingProfiles.apply(idle));
        return unknown.orElseGet(() ->
                idle.size() < minimum
                        ? lab.tooFewReachable(minimum)
                                .orElseGet(() -> busy(minimum, lab.tooFewIdle(idle, minimum, "")))
                        : new Decision.Place(idle));
    }

    /** Profiles the workers with gaps, and waits for all profiles under way; empty without any. */
    private static Optional<Decision> profiles(Lab lab, List<ProfileGap> gaps) {
        List<LabWorker> unknown = workers(gaps);
        long profiling = unknown.size() + lab.profilingBeside(unknown);
        if (!unknown.isEmpty()) {
            return Optional.of(new Decision.Profile(gaps, profiling(profiling)));
        }
        return profiling > 0
                ? Optional.of(new Decision.Wait(profiling(profiling)))
                : Optional.empty();
    }

    /**
     * Chooses the oldest workers. If these do not all see one another, it skips workers that no
     * other worker sees; if they have too little memory, it takes those with the most.
     *
     * @param idle idle workers that reach one another
     */
    private static List<LabWorker> choose(
            RunConfiguration configuration, List<LabWorker> idle, Wanted wanted) {
        List<LabWorker> oldest = idle.stream().limit(wanted.maximum()).toList();
        if (!Workers.gaps(oldest).isEmpty()) {
            List<LabWorker> seen = Workers.seen(idle).stream().limit(wanted.maximum()).toList();
            return seen.size() >= wanted.minimum() ? seen : oldest;
        }
        return oldest.size() >= wanted.minimum() && Feasibility.isTooLarge(configuration, oldest)
                ? Feasibility.largest(idle, wanted.maximum())
                : oldest;
    }

    /**
     * The part of a message that counts workers in cooldown and tells when the first cooldown ends;
     * empty if there are none.
     */
    private static String cooling(List<LabWorker> eligible) {
        List<Instant> ends =
                eligible.stream()
                        .flatMap(worker -> Stream.ofNullable(worker.coolingUntil()))
                        .sorted()
                        .toList();
        return ends.isEmpty()
                ? ""
                : ", %d in cooldown after a failure, %suntil %s"
                        .formatted(
                                ends.size(),
                                ends.size() == 1 ? "" : "the first ",
                                ends.getFirst().truncatedTo(ChronoUnit.SECONDS));
    }

    /** Names the first reasons, and the number of the others. */
    private static String described(List<String> reasons) {
        String some = reasons.stream().limit(MAX_GAPS).collect(Collectors.joining(", "));
        int others = reasons.size() - MAX_GAPS;
        return others > 0 ? "%s, and %d more".formatted(some, others) : some;
    }

    private static Decision wait(String code, String message) {
        return new Decision.Wait(new WaitReason(code, message));
    }

    private static Decision busy(int wanted, String message) {
        return new Decision.Busy(new WaitReason(BUSY, message), wanted);
    }

    private static WaitReason profiling(long workers) {
        return new WaitReason(
                "profiling", "the profiles of %d workers are being measured".formatted(workers));
    }

    static WaitReason profilingLinks(int workers) {
        return new WaitReason(
                "profiling-links",
                "the links between %d workers are being measured".formatted(workers));
    }

    private static Predicate<LabWorker> isNot(List<LabWorker> chosen) {
        Set<LabWorker> taken = Set.copyOf(chosen);
        return worker -> !taken.contains(worker);
    }
}
