package dev.equipoise.app.schedule;

import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.recovery.PreemptionRefusal;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects the running runs that are preempted for the first blocked run. A candidate permits
 * preemption and either has a lower priority in the same project, also after priority aging, or
 * belongs to a project with more usage, which still has more when the blocked run ends. So a
 * preempted run never preempts the run that it made way for. Pure.
 *
 * @param delay preemption delay: waiting time after which a run may preempt others
 * @param exemptTime preemption-exempt time: training time before which a run is not preempted
 * @param aging orders the runs of one project
 * @param used worker-seconds by project, running allocations included
 */
record PreemptionPolicy(
        Duration delay,
        Duration exemptTime,
        PriorityAging aging,
        Map<UUID, Double> used,
        Instant now) {

    PreemptionPolicy {
        used = Map.copyOf(used);
    }

    /**
     * A run that waits for busy workers.
     *
     * @param eligible its eligible workers that reach one another
     * @param free the free workers among them
     * @param wanted number of workers that it needs
     */
    record Blocked(QueuedRun run, Set<WorkerId> eligible, Set<WorkerId> free, int wanted) {

        Blocked {
            eligible = Set.copyOf(eligible);
            free = Set.copyOf(free);
        }
    }

    /**
     * A training run that permits preemption.
     *
     * @param since when its ranks were ready
     * @param isAsked whether it is being preempted already
     * @param refusal its last preemption refusal; null if it has none
     */
    record Training(
            RunId run,
            UUID project,
            int priority,
            Instant queuedAt,
            Instant since,
            boolean isAsked,
            @Nullable PreemptionRefusal refusal,
            Set<WorkerId> workers) {

        Training {
            workers = Set.copyOf(workers);
        }

        private boolean isRefusedAt(Instant moment) {
            return refusal != null && refusal.standsAt(moment);
        }

        private int freedFor(Blocked blocked) {
            return (int) workers.stream().filter(blocked.eligible()::contains).count();
        }
    }

    /** The fewest runs that free enough workers, the youngest among equals; empty if too few. */
    Set<RunId> runsToPreempt(Blocked blocked, List<Training> training) {
        return runsToPreempt(blocked, training, it -> !it.isRefusedAt(now));
    }

    private Set<RunId> runsToPreempt(
            Blocked blocked, List<Training> training, Predicate<Training> isCapable) {
        int missing = blocked.wanted() - blocked.free().size();
        if (missing <= 0
                || Duration.between(blocked.run().waitingSince(), now).compareTo(delay) < 0) {
            return Set.of();
        }
        List<Training> left = new ArrayList<>();
        Set<RunId> chosen = new LinkedHashSet<>();
        for (Training each : training) {
            if (mayPreempt(blocked.run(), each) && isCapable.test(each)) {
                left.add(each);
            }
        }
        while (missing > 0) {
            Optional<Training> next = next(left, blocked, missing);
            if (next.isEmpty()) {
                return Set.of();
            }
            chosen.add(next.get().run());
            left.remove(next.get());
            missing -= next.get().freedFor(blocked);
        }
        return Set.copyOf(chosen);
    }

    /**
     * The message that names a run that would be preempted if it could save its checkpoint; empty
     * if other runs are preempted, or none would be.
     */
    Optional<String> obstacle(Blocked blocked, List<Training> training) {
        if (!runsToPreempt(blocked, training).isEmpty()) {
            return Optional.empty();
        }
        Set<RunId> wanted = runsToPreempt(blocked, training, _ -> true);
        return training.stream()
                .filter(it -> wanted.contains(it.run()) && it.isRefusedAt(now))
                .flatMap(
                        it -> Stream.ofNullable(it.refusal()).map(why -> message(it, why, blocked)))
                .findFirst();
    }

    /** Does not name runs of other projects, which readers of the blocked run may not see. */
    private static String message(Training refusing, PreemptionRefusal why, Blocked blocked) {
        return refusing.project().equals(blocked.run().project())
                ? "run %s cannot be preempted: %s".formatted(refusing.run(), why.reason())
                : "a run of another project that would be preempted cannot save its checkpoint";
    }

    private boolean mayPreempt(QueuedRun waiting, Training each) {
        // A run that is being preempted has already trained long enough.
        boolean isExempt =
                !each.isAsked() && Duration.between(each.since(), now).compareTo(exemptTime) < 0;
        return !isExempt && goesBefore(waiting, each);
    }

    private boolean goesBefore(QueuedRun waiting, Training each) {
        if (each.project().equals(waiting.project())) {
            return waiting.priority() > each.priority()
                    && aging.compare(
                                    waiting.priority(),
                                    waiting.queuedAt(),
                                    each.priority(),
                                    each.queuedAt())
                            < 0;
        }
        double after =
                used.getOrDefault(waiting.project(), 0.0)
                        + FairShare.expectedWorkerSeconds(waiting);
        return after <= used.getOrDefault(each.project(), 0.0);
    }

    /** The run that frees all missing workers, or else the most; prefers runs being preempted. */
    private static Optional<Training> next(List<Training> left, Blocked blocked, int missing) {
        return left.stream()
                .filter(it -> it.freedFor(blocked) > 0)
                .max(
                        Comparator.comparingInt(
                                        (Training it) -> Math.min(missing, it.freedFor(blocked)))
                                .thenComparing(Training::isAsked)
                                .thenComparing(Training::since)
                                .thenComparing(it -> it.run().toString()));
    }
}
