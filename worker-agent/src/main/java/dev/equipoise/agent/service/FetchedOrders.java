package dev.equipoise.agent.service;

import dev.equipoise.agent.order.RecordedOrders;
import dev.equipoise.agent.time.BackOff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RecordedOrder;
import java.util.function.Consumer;

/** Fetches orders of events from the service, part by part. */
public final class FetchedOrders implements RecordedOrders {

    private static final int MOST_FAILURES = 20;

    /** How parts are got from the service. */
    @FunctionalInterface
    public interface Source {
        /**
         * The part that begins after the one before.
         *
         * @throws ServiceFailed when the service does not answer with one
         */
        RecordedOrder order(AssignmentId assignment, long after) throws InterruptedException;
    }

    private final Source source;
    private final Time time;

    public FetchedOrders(Source source, Time time) {
        this.source = source;
        this.time = time;
    }

    @Override
    public void read(Assignment.Simulation assignment, Consumer<Decided> reader)
            throws InterruptedException {
        Long after = 0L;
        while (after != null) {
            RecordedOrder part = part(assignment.id(), after);
            part.items().forEach(reader);
            after = part.next();
        }
    }

    private RecordedOrder part(AssignmentId assignment, long after) throws InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return source.order(assignment, after);
            } catch (ServiceFailed e) {
                if (!e.isTemporary() || failures == MOST_FAILURES) {
                    throw AssignmentFailed.byWorker(
                            "order-unavailable",
                            "the order of events could not be fetched: " + e.getMessage(),
                            e);
                }
                time.sleep(BackOff.DEFAULT.after(failures).toNanos());
                if (Thread.interrupted()) {
                    throw new InterruptedException("fetching the order of events");
                }
            }
        }
    }
}
