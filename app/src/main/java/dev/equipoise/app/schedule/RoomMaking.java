package dev.equipoise.app.schedule;

import dev.equipoise.app.run.Refusal;
import dev.equipoise.app.run.RunQueue.Queued;
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
 * Who should make room for the first run of the queue that waits for busy workers: pure. Only runs
 * that may, and that it goes before: of lower priority in its project, unless they have waited so
 * long that they go before it all the same, or of a project that has used more and will have when
 * it is over. So nobody makes room for a run that would have to make room for it in turn.
 *
 * @param patience for how long a run waits before anybody is asked
 * @param spared for how long a run has trained before it is asked
 * @param ageing of the runs of one project
 * @param used worker-seconds by project, those of runs under way included
 */
record RoomMaking(
        Duration patience, Duration spared, Ageing ageing, Map<UUID, Double> used, Instant now) {

    RoomMaking {
        used = Map.copyOf(used);
    }

    /**
     * A run that waits for workers that are busy.
     *
     * @param fitting the workers that may have a part in it
     * @param free those of them that nobody has
     * @param wanted how many it takes
     */
    record Blocked(Queued run, Set<WorkerId> fitting, Set<WorkerId> free, int wanted) {

        Blocked {
            fitting = Set.copyOf(fitting);
            free = Set.copyOf(free);
        }
    }

    /**
     * A run that trains, and may be asked to make room.
     *
     * @param since when its ranks were ready
     * @param isAsked whether it is asked already
     * @param refusal why it could not when it was asked last; null where it could, or was not asked
     */
    record Training(
            RunId run,
            UUID project,
            int priority,
            Instant queuedAt,
            Instant since,
            boolean isAsked,
            @Nullable Refusal refusal,
            Set<WorkerId> workers) {

        Training {
            workers = Set.copyOf(workers);
        }

        private boolean isRefusedAt(Instant moment) {
            return refusal != null && refusal.standsAt(moment);
        }

        private int freeing(Blocked blocked) {
            return (int) workers.stream().filter(blocked.fitting()::contains).count();
        }
    }

    /** Those that make room together: the fewest, and of the same the youngest. */
    Set<RunId> forThe(Blocked blocked, List<Training> training) {
        return forThe(blocked, training, it -> !it.isRefusedAt(now));
    }

    private Set<RunId> forThe(
            Blocked blocked, List<Training> training, Predicate<Training> isCapable) {
        int missing = blocked.wanted() - blocked.free().size();
        if (missing <= 0
                || Duration.between(blocked.run().waitingSince(), now).compareTo(patience) < 0) {
            return Set.of();
        }
        List<Training> left = new ArrayList<>();
        Set<RunId> chosen = new LinkedHashSet<>();
        for (Training each : training) {
            if (goesAfter(each, blocked.run()) && isCapable.test(each)) {
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
            missing -= next.get().freeing(blocked);
        }
        return Set.copyOf(chosen);
    }

    /**
     * In words, who would be asked by now if its checkpoint could be kept; empty where nobody would
     * be, and where others make room.
     */
    Optional<String> inVain(Blocked blocked, List<Training> training) {
        if (!forThe(blocked, training).isEmpty()) {
            return Optional.empty();
        }
        Set<RunId> wanted = forThe(blocked, training, _ -> true);
        return training.stream()
                .filter(it -> wanted.contains(it.run()) && it.isRefusedAt(now))
                .flatMap(it -> Stream.ofNullable(it.refusal()).map(why -> told(it, why, blocked)))
                .findFirst();
    }

    /** Whoever sees the run that waits need not see those of other projects. */
    private static String told(Training refusing, Refusal why, Blocked blocked) {
        return refusing.project().equals(blocked.run().project())
                ? "run %s cannot make room: %s".formatted(refusing.run(), why.reason())
                : "a run of another project that would make room cannot keep its checkpoint";
    }

    private boolean goesAfter(Training each, Queued waiting) {
        // Who is asked has been spared for long enough.
        boolean isSpared =
                !each.isAsked() && Duration.between(each.since(), now).compareTo(spared) < 0;
        return !isSpared && owes(each, waiting);
    }

    private boolean owes(Training each, Queued waiting) {
        if (each.project().equals(waiting.project())) {
            return waiting.priority() > each.priority()
                    && ageing.compare(
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

    /** Who frees all that is missing, or else the most; who is asked already goes first. */
    private static Optional<Training> next(List<Training> left, Blocked blocked, int missing) {
        return left.stream()
                .filter(it -> it.freeing(blocked) > 0)
                .max(
                        Comparator.comparingInt(
                                        (Training it) -> Math.min(missing, it.freeing(blocked)))
                                .thenComparing(Training::isAsked)
                                .thenComparing(Training::since)
                                .thenComparing(it -> it.run().toString()));
    }
}
