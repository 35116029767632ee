package dev.equipoise.app.schedule;

import dev.equipoise.app.plan.Durations;
import dev.equipoise.app.plan.Durations.Expected;
import dev.equipoise.app.run.RunQueue.Queued;
import dev.equipoise.app.worker.LabWorker;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * How long runs that wait would last: by the time model where their workers are profiled, and else
 * as those like them did.
 */
@Component
class Foresight {

    /** Of so many runs the lengths are found out; those behind them have time. */
    private static final int MOST_FOUND = 100;

    private final Durations durations;

    Foresight(Durations durations) {
        this.durations = durations;
    }

    /** The same runs with what is known by now of how long they would last on the first workers. */
    List<Queued> of(List<Queued> waiting, Fitting fitting) {
        return waiting.stream().map(run -> foreseen(run, fitting)).toList();
    }

    private Queued foreseen(Queued run, Fitting fitting) {
        return durations.known(
                                run.configuration(),
                                run.epochsLeft(),
                                fitting.first(run.configuration()))
                        instanceof Expected.Lasts(Duration length)
                ? run.lasting(length)
                : run;
    }

    /**
     * Has it found out for the next passes what is not known of the first.
     *
     * @param order of the queue
     */
    void lookAhead(List<Queued> order, Fitting fitting) {
        order.stream()
                .limit(MOST_FOUND)
                .forEach(run ->
                        durations.find(run.configuration(), fitting.first(run.configuration())));
    }

    /**
     * On the workers that a run would get; null where nobody knows, and as long as that is being
     * found out.
     */
    @Nullable Duration on(List<LabWorker> workers, Queued run) {
        durations.find(run.configuration(), workers);
        return switch (durations.known(run.configuration(), run.epochsLeft(), workers)) {
            case Expected.Lasts(Duration length) -> length;
            case Expected.Untold _ -> run.lengthOn(workers.size());
            case Expected.NotYet _ -> null;
        };
    }
}
