package dev.equipoise.agent.service;

import dev.equipoise.agent.order.RecordedOrders;
import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.RunReport.Decided;
import java.util.function.Consumer;

/** Fetches recorded execution orders from the service, part by part. */
public final class FetchedOrders implements RecordedOrders {

    private static final String UNAVAILABLE = "order-unavailable";
    private static final int MAX_FAILURES = 20;

    /** Source of the parts of an execution order. */
    @FunctionalInterface
    public interface Source {
        /**
         * Returns the part that begins after a position.
         *
         * @throws ServiceFailed when the service does not answer with a part
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
                if (!e.isTemporary()) {
                    throw AssignmentFailed.byWorker(UNAVAILABLE, unavailable(e), e);
                }
                if (failures == MAX_FAILURES) {
                    throw AssignmentFailed.byCapacity(UNAVAILABLE, unavailable(e), e);
                }
                time.sleep(ExponentialBackoff.DEFAULT.after(failures).toNanos());
                if (Thread.interrupted()) {
                    throw new InterruptedException("fetching the recorded execution order");
                }
            }
        }
    }

    private static String unavailable(ServiceFailed failure) {
        return "the recorded execution order could not be fetched: " + failure.getMessage();
    }
}
