package dev.equipoise.agent.virtual;

import dev.equipoise.agent.order.OrderedLock;
import dev.equipoise.agent.time.BackgroundThread;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Background thread of a virtual rank: each task is an actor that begins at the clock of the actor
 * that starts it, or at the end of the task before it if that is later.
 */
final class VirtualBackground implements BackgroundThread {

    private static final TaskResult<Object> NO_RESULT = new TaskResult.Value<>("nothing");

    private final ActorScheduler scheduler;
    private final int rank;
    private final Consumer<VirtualLock> onLockCreated;

    /** Tasks that have not been awaited, oldest first. */
    private final Deque<Task> tasks = new ArrayDeque<>();

    /**
     * @param onLockCreated receives locks that must be closed when the run fails
     */
    VirtualBackground(ActorScheduler scheduler, int rank, Consumer<VirtualLock> onLockCreated) {
        this.scheduler = scheduler;
        this.rank = rank;
        this.onLockCreated = onLockCreated;
    }

    /** A task; it has an actor from its beginning on. */
    private static final class Task {

        private final Runnable work;
        private final long queuedAt;
        private @Nullable Actor actor;
        private @Nullable Task next;
        private TaskResult<Object> result = NO_RESULT;

        Task(Runnable work, long queuedAt) {
            this.work = work;
            this.queuedAt = queuedAt;
        }

        /** Returns the actor if it has ended. */
        @Nullable Actor ended() {
            return actor != null && actor.ended ? actor : null;
        }
    }

    @Override
    public void start(Runnable work) {
        if (!tasks.isEmpty()) {
            throw new IllegalStateException("the last task has not been awaited");
        }
        queue(work);
    }

    @Override
    public void queue(Runnable work) {
        Actor caller = caller();
        Task last = tasks.peekLast();
        if (last != null) {
            scheduler.catchUp(caller);
        }
        var task = new Task(work, caller.at);
        tasks.add(task);
        if (last == null) {
            begin(task, caller.at);
        } else if (last.result instanceof TaskResult.Value) {
            beginAfter(last, task);
        }
    }

    /** Begins a task now, or has its predecessor begin it. */
    private void beginAfter(Task last, Task task) {
        Actor ended = last.ended();
        if (ended == null) {
            last.next = task;
        } else {
            begin(task, Math.max(task.queuedAt, ended.at));
        }
    }

    private void begin(Task task, long at) {
        var actor = new Actor(rank, scheduler.nextTask(), at, self -> run(task, self));
        task.actor = actor;
        scheduler.begin(actor);
    }

    private void run(Task task, Actor self) {
        task.result = TaskResult.of(Executors.callable(task.work));
        Task next = task.next;
        if (next != null && task.result instanceof TaskResult.Value) {
            begin(next, Math.max(next.queuedAt, self.at));
        }
        scheduler.end(self);
    }

    @Override
    public boolean isDone() {
        Task oldest = tasks.peek();
        if (oldest == null) {
            return true;
        }
        Actor caller = caller();
        scheduler.catchUp(caller);
        Actor ended = oldest.ended();
        return ended != null && ended.at <= caller.at;
    }

    @Override
    public void await() {
        Task oldest = tasks.poll();
        if (oldest != null) {
            awaitEnd(oldest);
            if (oldest.result instanceof TaskResult.Failure) {
                tasks.clear();
            }
            Object _ = oldest.result.get();
        }
    }

    @Override
    public OrderedLock newLock() {
        var lock = new VirtualLock(scheduler, rank);
        onLockCreated.accept(lock);
        return lock;
    }

    @Override
    public void close() {
        tasks.forEach(this::awaitEnd);
        tasks.clear();
    }

    /** Waits for a task whose predecessors have ended; a task behind a failed one never begins. */
    private void awaitEnd(Task task) {
        Actor awaited = task.actor;
        if (awaited == null) {
            return;
        }
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
                    "only the body of rank %d may use its background thread".formatted(rank));
        }
        return caller;
    }
}
