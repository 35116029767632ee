package dev.equipoise.app.schedule;

import dev.equipoise.app.run.Waiting;
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
 * "EASY" back-filling: D. Lifka, The ANL/IBM SP Scheduling System, JSSPP 1995. The first run of the
 * queue that has to wait for workers reserves those that will be free soonest. A later run goes
 * before it only where that cannot delay it: on other workers, or if it is over by then. As the
 * reservation is made anew in every pass, of the workers as they are then, it only ever becomes
 * earlier while lengths are what they are expected to be.
 */

/** Lets runs go before one that waits where it does not have to wait the longer for that. */
final class Backfill {

    private static final Waiting KEPT =
            new Waiting(
                    "workers-kept",
                    "the workers that are idle are kept for a run before it in the queue, which it would delay");

    /** How long a run would last, from its placement to its end. */
    @FunctionalInterface
    interface Lengths {

        /** On some workers; null where nobody knows. */
        @Nullable Duration on(List<LabWorker> workers);
    }

    private final Horizon horizon;
    private @Nullable Reservation reservation;

    Backfill(Horizon horizon) {
        this.horizon = horizon;
    }

    /**
     * Decides on a run in its turn.
     *
     * @param fitting the workers that may have a part in it, busy ones too
     * @param decide on workers that may be taken
     */
    Decision decide(
            Lengths length,
            List<LabWorker> fitting,
            Function<Predicate<WorkerId>, Decision> decide) {
        Reservation kept = reservation;
        if (kept == null) {
            Decision first = decide.apply(_ -> true);
            reserve(first, fitting);
            return first;
        }
        Decision beside = decide.apply(worker -> !kept.workers().contains(worker));
        if (!(beside instanceof Decision.Busy)
                || !(decide.apply(_ -> true) instanceof Decision.Place anyway)) {
            return beside;
        }
        return kept.outlasts(horizon.now(), length.on(anyway.workers()))
                ? anyway
                : new Decision.Wait(KEPT);
    }

    /** The workers are not free any more. */
    void take(List<WorkerId> workers, @Nullable Duration length) {
        horizon.occupy(workers, horizon.now(), length);
    }

    /** Keeps workers for a run that has to wait for them, unless there is another before it. */
    void reserve(List<LabWorker> fitting, int wanted) {
        if (reservation == null) {
            reservation = horizon.earliest(fitting, wanted);
        }
    }

    /** The workers that are kept for a run; none where none has to wait for some. */
    Set<WorkerId> kept() {
        return reservation == null ? Set.of() : reservation.workers();
    }

    private void reserve(Decision decision, List<LabWorker> fitting) {
        if (decision instanceof Decision.Busy(var _, int wanted)) {
            reserve(fitting, wanted);
        }
    }
}
