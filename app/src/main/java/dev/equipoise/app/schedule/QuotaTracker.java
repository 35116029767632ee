package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quota;
import dev.equipoise.app.dispatch.WeeklyUsage;
import dev.equipoise.app.dispatch.WorkerAllocation;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.queue.WaitReason;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tracks the unused quotas of projects during one scheduling pass. */
final class QuotaTracker {

    private static final int SECONDS_A_MINUTE = 60;

    /** Looks up the weekly usage of a project. */
    @FunctionalInterface
    interface Weeks {

        /**
         * The usage of the last seven days.
         *
         * @param limit upper limit of the charges, in worker-seconds
         */
        WeeklyUsage of(UUID project, double limit);
    }

    private final Function<UUID, Quota> quotas;
    private final Weeks weeks;
    private final Instant now;
    private final Map<UUID, Integer> workers = new HashMap<>();
    private final Map<UUID, Double> runningSeconds = new HashMap<>();
    private final Map<UUID, Quota> quotaByProject = new HashMap<>();
    private final Map<UUID, WeeklyUsage> weekByProject = new HashMap<>();

    /**
     * @param held the workers that runs have now
     */
    QuotaTracker(
            Function<UUID, Quota> quotas,
            Weeks weeks,
            Collection<WorkerAllocation> held,
            Instant now) {
        this.quotas = quotas;
        this.weeks = weeks;
        this.now = now;
        held.forEach(it -> {
            workers.merge(it.project(), 1, Integer::sum);
            runningSeconds.merge(it.project(), it.seconds(now), Double::sum);
        });
    }

    /** The quota that blocks a run; empty if none does. */
    Optional<WaitReason> exceededQuota(QueuedRun run) {
        return ofWorkers(run).or(() -> ofWeek(run));
    }

    /** Number of workers that the project of a run may still get. */
    int remainingWorkers(QueuedRun run) {
        Integer limit = quota(run).replicasAtOnce();
        return limit == null ? Integer.MAX_VALUE : Math.max(0, limit - inUse(run));
    }

    void take(QueuedRun run, int more) {
        workers.merge(run.project(), more, Integer::sum);
    }

    private Optional<WaitReason> ofWorkers(QueuedRun run) {
        int wanted = Feasibility.minimumWorkers(run, now);
        return wanted <= remainingWorkers(run)
                ? Optional.empty()
                : Optional.of(
                        new WaitReason(
                                "quota-replicas",
                                "%d workers needed, %d of the %d workers of the project's quota in use"
                                        .formatted(
                                                wanted, inUse(run), quota(run).replicasAtOnce())));
    }

    private Optional<WaitReason> ofWeek(QueuedRun run) {
        Long minutes = quota(run).workerMinutesAWeek();
        if (minutes == null) {
            return Optional.empty();
        }
        double limit = minutes * (double) SECONDS_A_MINUTE;
        double running = runningSeconds.getOrDefault(run.project(), 0.0);
        WeeklyUsage week =
                weekByProject.computeIfAbsent(
                        run.project(), project -> weeks.of(project, limit - running));
        double used = week.workerSeconds() + running;
        return used < limit
                ? Optional.empty()
                : Optional.of(
                        new WaitReason(
                                "quota-worker-minutes",
                                "the project has used %d of the %d worker-minutes of its weekly quota; %s"
                                        .formatted(
                                                (long) used / SECONDS_A_MINUTE,
                                                minutes,
                                                whenFree(week.belowLimitAt()))));
    }

    private static String whenFree(@Nullable Instant at) {
        return at == null
                ? "it gets more a week after the end of its runs"
                : "it gets more at %s".formatted(at);
    }

    private int inUse(QueuedRun run) {
        return workers.getOrDefault(run.project(), 0);
    }

    private Quota quota(QueuedRun run) {
        return quotaByProject.computeIfAbsent(run.project(), quotas);
    }
}
