package dev.equipoise.agent.virtual;

import dev.equipoise.agent.time.Time;
import java.util.function.LongSupplier;

/** The clock of the calling actor of a rank; computation advances it only by its charged time. */
final class VirtualTime implements Time {

    private final ActorScheduler scheduler;
    private final LongSupplier outside;

    /**
     * @param outside supplies the time if no actor calls, or throws
     */
    VirtualTime(ActorScheduler scheduler, LongSupplier outside) {
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
            throw new IllegalStateException(
                    "sleep must be called by the body or background of a rank");
        }
        if (!Thread.currentThread().isInterrupted()) {
            actor.advanceTo(actor.at + nanos);
        }
    }
}
