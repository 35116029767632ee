package dev.equipoise.app.schedule;

import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.schedule.Placement.Decision;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * EASY backfilling: D. Lifka, The ANL/IBM SP Scheduling System, JSSPP 1995. The first blocked run
 * reserves the workers that become free first. A later run starts before it only if it cannot
 * delay it: on other workers, or if it ends before the reservation starts. Each pass computes the
 * reservation anew from the current workers. While runtime estimates are exact, its start never
 * moves to a later time.
 */

/** Starts later runs before the first blocked run if they cannot delay it. */
final class Backfill {

    private static final WaitReason KEPT =
            new WaitReason(
                    "workers-kept",
                    "the idle workers are reserved for an earlier run of the queue, which this run would delay");

    /** Estimates the runtime of a run, from its placement to its end. */
    @FunctionalInterface
    interface RuntimeByWorkers {

        /** The runtime on these workers; null if unknown. */
        @Nullable Duration on(List<LabWorker> workers);
    }

    private final AvailabilityProfile availability;
    private @Nullable Reservation reservation;

    Backfill(AvailabilityProfile availability) {
        this.availability = availability;
    }

    /**
     * Decides on one run; call this in queue order.
     *
     * @param eligible the eligible workers of the run, busy ones included
     * @param decide decides under a predicate of the workers that may be taken
     */
    Decision decide(
            RuntimeByWorkers runtime,
            List<LabWorker> eligible,
            Function<Predicate<WorkerId>, Decision> decide) {
        Reservation reserved = reservation;
        if (reserved == null) {
            Decision first = decide.apply(_ -> true);
            reserve(first, eligible);
            return first;
        }
        Decision beside = decide.apply(worker -> !reserved.workers().contains(worker));
        if (!(beside instanceof Decision.Busy)
                || !(decide.apply(_ -> true) instanceof Decision.Place anyway)) {
            return beside;
        }
        return reserved.allows(availability.now(), runtime.on(anyway.workers()))
                ? anyway
                : new Decision.Wait(KEPT);
    }

    /** Occupies workers from now on; their end is unknown if {@code runtime} is null. */
    void take(List<WorkerId> workers, @Nullable Duration runtime) {
        availability.occupy(workers, availability.now(), runtime);
    }

    /** Reserves workers for a blocked run, unless an earlier run has the reservation. */
    void reserve(List<LabWorker> eligible, int wanted) {
        if (reservation == null) {
            reservation = availability.earliest(eligible, wanted);
        }
    }

    Set<WorkerId> reservedWorkers() {
        return reservation == null ? Set.of() : reservation.workers();
    }

    private void reserve(Decision decision, List<LabWorker> eligible) {
        if (decision instanceof Decision.Busy(var _, int wanted)) {
            reserve(eligible, wanted);
        }
    }
}
