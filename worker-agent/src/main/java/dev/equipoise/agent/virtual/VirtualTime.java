package dev.equipoise.agent.virtual;

import dev.equipoise.agent.time.Time;
import java.util.function.LongSupplier;

/** The clock of whichever of a rank's actors asks; computing moves it only where it is charged. */
final class VirtualTime implements Time {

    private final Scheduler scheduler;
    private final LongSupplier outside;

    /**
     * @param outside of actors, or an exception
     */
    VirtualTime(Scheduler scheduler, LongSupplier outside) {
        this.scheduler = scheduler;
        this.outside = outside;
    }

    @Override
    public long nanoTime() {
        Actor actor = scheduler.caller();
        return actor == null ? outside.getAsLong() : actor.at;
    }

    @Override
    public long threadNanos() {
        return nanoTime();
    }

    @Override
    public void sleep(long nanos) {
        Actor actor = scheduler.caller();
        if (actor == null) {
            throw new IllegalStateException("only a rank's body or background sleeps virtually");
        }
        if (!Thread.currentThread().isInterrupted()) {
            actor.advanceTo(actor.at + nanos);
        }
    }
}
