package dev.equipoise.agent.order;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunReport.Decided;
import java.util.function.Consumer;

/** Reads the recorded execution order of an earlier run. */
@FunctionalInterface
public interface RecordedOrders {

    /**
     * Reads the execution order that an assignment replays: the events of all ranks, those of each
     * rank in the order in which it sent them.
     *
     * @throws InterruptedException when the thread was interrupted
     */
    void read(Assignment.Simulation assignment, Consumer<Decided> reader)
            throws InterruptedException;
}
