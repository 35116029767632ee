package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quota;
import dev.equipoise.app.run.RunQueue.Queued;
import dev.equipoise.app.run.Waiting;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What projects may still use during one pass over the queue. */
final class Allowances {

    private static final int SECONDS_A_MINUTE = 60;

    /**
     * What a project has used of its week.
     *
     * @param workerSeconds charged in the last seven days
     * @param belowLimitAt when enough of that is older; null where what is under way is too much
     */
    record Week(double workerSeconds, @Nullable Instant belowLimitAt) {}

    /** Looks up what a project has used. */
    @FunctionalInterface
    interface Weeks {

        /**
         * Of the last seven days.
         *
         * @param limit in worker-seconds, that charges may come to
         */
        Week of(UUID project, double limit);
    }

    private final Function<UUID, Quota> quotas;
    private final Weeks weeks;
    private final Instant now;
    private final Map<UUID, Integer> workers = new HashMap<>();
    private final Map<UUID, Double> runningSeconds = new HashMap<>();
    private final Map<UUID, Quota> known = new HashMap<>();
    private final Map<UUID, Week> knownWeeks = new HashMap<>();

    /**
     * Begins.
     *
     * @param held by runs now
     */
    Allowances(Function<UUID, Quota> quotas, Weeks weeks, Collection<Held> held, Instant now) {
        this.quotas = quotas;
        this.weeks = weeks;
        this.now = now;
        held.forEach(it -> {
            workers.merge(it.project(), 1, Integer::sum);
            runningSeconds.merge(it.project(), it.seconds(now), Double::sum);
        });
    }

    /** Why a run may not have its workers, whoever is idle; empty where it may. */
    Optional<Waiting> refusal(Queued run) {
        return ofWorkers(run).or(() -> ofWeek(run));
    }

    /** How many more workers the project of a run may have. */
    int left(Queued run) {
        Integer most = quota(run).replicasAtOnce();
        return most == null ? Integer.MAX_VALUE : Math.max(0, most - inUse(run));
    }

    void take(Queued run, int more) {
        workers.merge(run.project(), more, Integer::sum);
    }

    private Optional<Waiting> ofWorkers(Queued run) {
        int wanted = Placement.leastWanted(run, now);
        return wanted <= left(run)
                ? Optional.empty()
                : Optional.of(
                        new Waiting(
                                "quota-replicas",
                                "%d workers are wanted, and of the %d that the project may have at once %d are in use"
                                        .formatted(
                                                wanted, quota(run).replicasAtOnce(), inUse(run))));
    }

    private Optional<Waiting> ofWeek(Queued run) {
        Long minutes = quota(run).workerMinutesAWeek();
        if (minutes == null) {
            return Optional.empty();
        }
        double limit = minutes * (double) SECONDS_A_MINUTE;
        double running = runningSeconds.getOrDefault(run.project(), 0.0);
        Week week =
                knownWeeks.computeIfAbsent(
                        run.project(), project -> weeks.of(project, limit - running));
        double used = week.workerSeconds() + running;
        return used < limit
                ? Optional.empty()
                : Optional.of(
                        new Waiting(
                                "quota-worker-minutes",
                                "the project has used %d of the %d worker-minutes of its week, %s"
                                        .formatted(
                                                (long) used / SECONDS_A_MINUTE,
                                                minutes,
                                                whenFree(week.belowLimitAt()))));
    }

    private static String whenFree(@Nullable Instant at) {
        return at == null
                ? "and has more once its runs are over and a week has passed"
                : "and has more from %s on".formatted(at);
    }

    private int inUse(Queued run) {
        return workers.getOrDefault(run.project(), 0);
    }

    private Quota quota(Queued run) {
        return known.computeIfAbsent(run.project(), quotas);
    }
}
