package dev.equipoise.agent.order;

import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.Assignment;
import java.util.function.Consumer;

/** Where the order of events of an earlier run is found. */
@FunctionalInterface
public interface RecordedOrders {

    /**
     * Reads the order that an assignment is to repeat, all ranks', each in the order in which it
     * was told.
     *
     * @throws InterruptedException when the thread was interrupted
     */
    void read(Assignment.Simulation assignment, Consumer<Decided> reader)
            throws InterruptedException;
}
