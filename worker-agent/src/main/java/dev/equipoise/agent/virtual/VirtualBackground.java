package dev.equipoise.agent.virtual;

import dev.equipoise.agent.order.OrderedLock;
import dev.equipoise.agent.time.BackgroundThread;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Background thread of a virtual rank: each task is an actor that begins at the clock of the actor
 * that starts it, or when the task before it has ended.
 */
final class VirtualBackground implements BackgroundThread {

    private static final TaskResult<Object> NO_RESULT = new TaskResult.Value<>("nothing");

    private final ActorScheduler scheduler;
    private final int rank;
    private final Consumer<VirtualLock> onLockCreated;

    /** The last task. */
    private @Nullable Actor task;

    private TaskResult<Object> result = NO_RESULT;

    /**
     * @param onLockCreated receives locks that must be closed when the run fails
     */
    VirtualBackground(ActorScheduler scheduler, int rank, Consumer<VirtualLock> onLockCreated) {
        this.scheduler = scheduler;
        this.rank = rank;
        this.onLockCreated = onLockCreated;
    }

    @Override
    public void start(Runnable work) {
        if (task != null) {
            throw new IllegalStateException("the last task has not been awaited");
        }
        result = NO_RESULT;
        startNext(work);
    }

    @Override
    public void startNext(Runnable work) {
        Actor before = task;
        task =
                new Actor(
                        rank,
                        scheduler.nextTask(),
                        caller().at,
                        actor -> {
                            run(actor, before, work);
                            scheduler.end(actor);
                        });
        scheduler.begin(task);
    }

    private void run(Actor actor, @Nullable Actor before, Runnable work) {
        if (before != null) {
            awaitEnd(actor, before);
        }
        if (result instanceof TaskResult.Value<Object>) {
            result = TaskResult.of(Executors.callable(work));
        }
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
        TaskResult<Object> awaited = result;
        result = NO_RESULT;
        Object _ = awaited.get();
    }

    @Override
    public OrderedLock newLock() {
        var lock = new VirtualLock(scheduler, rank);
        onLockCreated.accept(lock);
        return lock;
    }

    @Override
    public void close() {
        if (task != null) {
            awaitEnd(caller(), task);
            task = null;
        }
    }

    private void awaitEnd(Actor caller, Actor awaited) {
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
                    "only the body of rank %d may use its background thread".formatted(rank));
        }
        return caller;
    }
}
