package dev.equipoise.agent.virtual;

import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/*
 * A conservative discrete-event simulation (Chandy and Misra 1979; Fujimoto, Parallel discrete
 * event simulation, CACM 1990) whose processes are threads. One actor is in control at a time. It
 * may run ahead of the others as long as it uses only its own memory; before an action that depends
 * on the past of others it queues behind all earlier events. It picks the next actor itself and
 * passes control directly, so that a switch costs one unpark. All state that is not volatile
 * belongs to the actor in control.
 */
/**
 * Scheduler of a discrete-event simulation: runs one actor at a time, always one with the least
 * clock.
 */
final class ActorScheduler {

    private static final int MAX_NAMED = 10;

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final Set<Actor> actors = new LinkedHashSet<>();
    private final Queue<Runnable> externalActions = new ConcurrentLinkedQueue<>();
    private final Consumer<Frame> arrive;
    private final Consumer<String> onDeadlock;
    private long now;
    private long tasks;
    private volatile @Nullable Actor running;
    private volatile boolean stopping;
    private volatile @Nullable CountDownLatch end;

    /**
     * @param arrive handles a frame that reaches its receiver
     * @param onDeadlock receives a description of the waiting actors; must make one of them
     *     runnable
     */
    ActorScheduler(Consumer<Frame> arrive, Consumer<String> onDeadlock) {
        this.arrive = arrive;
        this.onDeadlock = onDeadlock;
    }

    /** Returns the calling actor; null if the calling thread is no actor or not in control. */
    @Nullable Actor caller() {
        Actor actor = running;
        return actor != null && actor.isCurrent() ? actor : null;
    }

    /** The time of the latest event, in nanoseconds; for the actor in control, or between runs. */
    long now() {
        return now;
    }

    boolean isRunning() {
        return end != null;
    }

    /** Returns a unique number for an actor. */
    long nextTask() {
        return tasks++;
    }

    /** Schedules a new actor at its clock. */
    void begin(Actor actor) {
        actors.add(actor);
        queue.add(actor);
    }

    void expect(Frame frame) {
        queue.add(frame);
    }

    /** Waits until all events before the caller's clock have been handled. */
    void catchUp(Actor self) {
        Event first = queue.peek();
        if (!externalActions.isEmpty() || (first != null && first.compareTo(self) < 0)) {
            queue.add(self);
            yieldControl(self);
        }
    }

    /** Blocks the caller until {@link #wake}. */
    void block(Actor self, Object awaited) {
        self.awaited = awaited;
        yieldControl(self);
    }

    /** Wakes a blocked actor, not before a given time. */
    void wake(Actor actor, long at) {
        actor.awaited = null;
        actor.advanceTo(at);
        queue.add(actor);
    }

    /** Ends an actor and passes control; its last action. */
    void end(Actor self) {
        self.ended = true;
        actors.remove(self);
        if (self.joiner != null) {
            wake(self.joiner, self.at);
            self.joiner = null;
        }
        if (actors.isEmpty()) {
            finish();
        } else {
            passControlTo(next());
        }
    }

    /** Runs all actors; returns when the last one has ended, or when the caller is interrupted. */
    void run() throws InterruptedException {
        var latch = new CountDownLatch(1);
        end = latch;
        passControlTo(next());
        latch.await();
    }

    /** Waits for the last actor to end, after {@link #run} was interrupted. */
    void awaitEnd() {
        CountDownLatch latch = end;
        while (latch != null) {
            try {
                latch.await();
                return;
            } catch (InterruptedException _) {
                interruptAll();
            }
        }
    }

    /** Interrupts the actor in control, and each that gets control from now on. */
    void interruptAll() {
        stopping = true;
        Actor actor = running;
        if (actor != null) {
            actor.interrupt();
        }
    }

    /** Runs an action that concerns all actors while no actor runs. Any thread may call. */
    synchronized void runExternally(Runnable action) {
        if (isRunning()) {
            externalActions.add(action);
        } else {
            action.run();
        }
    }

    private synchronized void finish() {
        running = null;
        stopping = false;
        runExternalActions();
        CountDownLatch latch = end;
        end = null;
        if (latch != null) {
            latch.countDown();
        }
    }

    private void yieldControl(Actor self) {
        Actor next = next();
        if (!next.equals(self)) {
            passControlTo(next);
            self.awaitControl();
        }
        if (stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void passControlTo(Actor next) {
        running = next;
        next.resume();
    }

    private Actor next() {
        while (true) {
            runExternalActions();
            Event event = queue.poll();
            if (event == null) {
                onDeadlock.accept(describeWaits());
                continue;
            }
            now = Math.max(now, event.at);
            switch (event) {
                case Frame frame -> arrive.accept(frame);
                case Actor actor -> {
                    return actor;
                }
            }
        }
    }

    private void runExternalActions() {
        while (true) {
            Runnable action = externalActions.poll();
            if (action == null) {
                return;
            }
            action.run();
        }
    }

    private String describeWaits() {
        String named =
                actors.stream()
                        .limit(MAX_NAMED)
                        .map(actor -> actor + " waits for " + actor.awaited)
                        .collect(Collectors.joining(", "));
        int others = actors.size() - MAX_NAMED;
        return others > 0 ? "%s, and %d others wait".formatted(named, others) : named;
    }
}
