package dev.equipoise.app.schedule;

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

/**
 * Who should make room for the first run of the queue that waits for busy workers: pure. Only runs
 * that may, and that it goes before: of lower priority in its project, or of a project that has
 * used more and will have when it is over. So nobody makes room for a run that would have to make
 * room for it in turn.
 *
 * @param patience for how long a run waits before anybody is asked
 * @param spared for how long a run has trained before it is asked
 * @param used worker-seconds by project, those of runs under way included
 */
record RoomMaking(Duration patience, Duration spared, Map<UUID, Double> used, Instant now) {

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
     */
    record Training(
            RunId run,
            UUID project,
            int priority,
            Instant since,
            boolean isAsked,
            Set<WorkerId> workers) {

        Training {
            workers = Set.copyOf(workers);
        }

        private int freeing(Blocked blocked) {
            return (int) workers.stream().filter(blocked.fitting()::contains).count();
        }
    }

    /** Those that make room together: the fewest, and of the same the youngest. */
    Set<RunId> forThe(Blocked blocked, List<Training> training) {
        int missing = blocked.wanted() - blocked.free().size();
        if (missing <= 0
                || Duration.between(blocked.run().waitingSince(), now).compareTo(patience) < 0) {
            return Set.of();
        }
        List<Training> left = new ArrayList<>();
        Set<RunId> chosen = new LinkedHashSet<>();
        for (Training each : training) {
            if (goesAfter(each, blocked.run())) {
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

    private boolean goesAfter(Training each, Queued waiting) {
        // Who is asked has been spared for long enough.
        boolean isSpared =
                !each.isAsked() && Duration.between(each.since(), now).compareTo(spared) < 0;
        return !isSpared && owes(each, waiting);
    }

    private boolean owes(Training each, Queued waiting) {
        if (each.project().equals(waiting.project())) {
            return waiting.priority() > each.priority();
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
