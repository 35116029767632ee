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
 * A conservative discrete-event simulation (Chandy and Misra 1979; Fujimoto, Parallel discrete event
 * simulation, CACM 1990) of which the processes are threads. There is one turn. Whoever has it may
 * run ahead of the others as far as its own memory goes; before it does what depends on the others'
 * past it queues up behind all that comes earlier. It picks the next one itself and hands over the
 * turn directly, so that a switch costs one unpark. All state but that marked volatile belongs to
 * the turn.
 */
/** Lets one actor go on at a time, always one whose moment has come. */
final class Scheduler {

    private static final int MOST_NAMED = 10;

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final Set<Actor> actors = new LinkedHashSet<>();
    private final Queue<Runnable> fromOutside = new ConcurrentLinkedQueue<>();
    private final Consumer<Frame> arrive;
    private final Consumer<String> onDeadlock;
    private long now;
    private long tasks;
    private volatile @Nullable Actor running;
    private volatile boolean stopping;
    private volatile @Nullable CountDownLatch end;

    /**
     * @param arrive what a frame does when it reaches its receiver
     * @param onDeadlock told who waits for what; must make somebody go on
     */
    Scheduler(Consumer<Frame> arrive, Consumer<String> onDeadlock) {
        this.arrive = arrive;
        this.onDeadlock = onDeadlock;
    }

    /** The actor that calls; null where a thread does that is none, or has not the turn. */
    @Nullable Actor caller() {
        Actor actor = running;
        return actor != null && actor.isCurrent() ? actor : null;
    }

    /** Of the latest event; by whoever has the turn, or between runs. */
    long now() {
        return now;
    }

    boolean isRunning() {
        return end != null;
    }

    /** A number for an actor, which no other has. */
    long nextTask() {
        return tasks++;
    }

    /** Lets an actor begin, when its moment comes. */
    void begin(Actor actor) {
        actors.add(actor);
        queue.add(actor);
    }

    void expect(Frame frame) {
        queue.add(frame);
    }

    /** Returns when nothing is left that comes before the caller. */
    void catchUp(Actor self) {
        Event first = queue.peek();
        if (!fromOutside.isEmpty() || (first != null && first.compareTo(self) < 0)) {
            queue.add(self);
            pass(self);
        }
    }

    /** Returns when somebody has woken the caller. */
    void block(Actor self, Object awaited) {
        self.awaited = awaited;
        pass(self);
    }

    /** Makes a blocked actor go on, not before a moment. */
    void wake(Actor actor, long at) {
        actor.awaited = null;
        actor.advanceTo(at);
        queue.add(actor);
    }

    /** Hands on the turn for good; the last thing that an actor does. */
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
            hand(next());
        }
    }

    /**
     * Lets all actors run and returns when the last has ended, or when the caller is interrupted.
     */
    void run() throws InterruptedException {
        var latch = new CountDownLatch(1);
        end = latch;
        hand(next());
        latch.await();
    }

    /** Returns when the last actor has ended, after {@link #run} was interrupted. */
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

    /** Interrupts whoever has the turn, and each that gets it from now on. */
    void interruptAll() {
        stopping = true;
        Actor actor = running;
        if (actor != null) {
            actor.interrupt();
        }
    }

    /** Does what concerns all actors when nobody else does anything; for any thread. */
    synchronized void outside(Runnable action) {
        if (isRunning()) {
            fromOutside.add(action);
        } else {
            action.run();
        }
    }

    private synchronized void finish() {
        running = null;
        stopping = false;
        doWhatIsAskedFromOutside();
        CountDownLatch latch = end;
        end = null;
        if (latch != null) {
            latch.countDown();
        }
    }

    private void pass(Actor self) {
        Actor next = next();
        if (!next.equals(self)) {
            hand(next);
            self.awaitTurn();
        }
        if (stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void hand(Actor next) {
        running = next;
        next.resume();
    }

    private Actor next() {
        while (true) {
            doWhatIsAskedFromOutside();
            Event event = queue.poll();
            if (event == null) {
                onDeadlock.accept(waits());
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

    private void doWhatIsAskedFromOutside() {
        while (true) {
            Runnable action = fromOutside.poll();
            if (action == null) {
                return;
            }
            action.run();
        }
    }

    private String waits() {
        String named =
                actors.stream()
                        .limit(MOST_NAMED)
                        .map(actor -> actor + " waits for " + actor.awaited)
                        .collect(Collectors.joining(", "));
        int others = actors.size() - MOST_NAMED;
        return others > 0 ? "%s, and %d others wait".formatted(named, others) : named;
    }
}
