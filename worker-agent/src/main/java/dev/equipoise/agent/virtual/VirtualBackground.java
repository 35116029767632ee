package dev.equipoise.agent.virtual;

import dev.equipoise.agent.order.Turns;
import dev.equipoise.agent.time.Background;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Each task is an actor of the rank, which begins at the clock of whoever starts it. */
final class VirtualBackground implements Background {

    private static final Outcome<Object> NOTHING = new Outcome.Value<>("nothing");

    private final Scheduler scheduler;
    private final int rank;
    private final Consumer<VirtualTurns> madeTurns;
    private @Nullable Actor task;
    private Outcome<Object> outcome = NOTHING;

    /**
     * @param madeTurns told of turns that must be closed when the run fails
     */
    VirtualBackground(Scheduler scheduler, int rank, Consumer<VirtualTurns> madeTurns) {
        this.scheduler = scheduler;
        this.rank = rank;
        this.madeTurns = madeTurns;
    }

    @Override
    public void start(Runnable work) {
        if (task != null) {
            throw new IllegalStateException("the last task has not been awaited");
        }
        outcome = NOTHING;
        task =
                new Actor(
                        rank,
                        scheduler.nextTask(),
                        caller().at,
                        actor -> {
                            outcome = Outcome.of(Executors.callable(work));
                            scheduler.end(actor);
                        });
        scheduler.begin(task);
    }

    @Override
    public boolean isDone() {
        if (task == null) {
            return true;
        }
        Actor caller = caller();
        scheduler.catchUp(caller);
        return task.ended && task.at <= caller.at;
    }

    @Override
    public void await() {
        close();
        Object _ = outcome.get();
    }

    @Override
    public Turns turns() {
        var turns = new VirtualTurns(scheduler, rank);
        madeTurns.accept(turns);
        return turns;
    }

    @Override
    public void close() {
        if (task != null) {
            awaitEnd(task);
            task = null;
        }
    }

    private void awaitEnd(Actor awaited) {
        Actor caller = caller();
        while (!awaited.ended) {
            awaited.joiner = caller;
            scheduler.block(caller, awaited);
        }
        caller.advanceTo(awaited.at);
    }

    private Actor caller() {
        Actor caller = scheduler.caller();
        if (caller == null || caller.rank != rank || !caller.isMain()) {
            throw new IllegalStateException(
                    "the background of rank %d serves its body alone".formatted(rank));
        }
        return caller;
    }
}
