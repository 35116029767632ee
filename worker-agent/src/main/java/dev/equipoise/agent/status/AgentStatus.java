package dev.equipoise.agent.status;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Current state of the agent, from its sources. Any thread may call. */
public final class AgentStatus {

    private volatile BooleanSupplier readiness = () -> false;
    private volatile IntSupplier waiting = () -> 0;

    /** Sets the condition under which the agent is ready. */
    public void readyWhile(BooleanSupplier condition) {
        readiness = condition;
    }

    /** Sets the source for the number of unconfirmed events. */
    public void reportsWaiting(IntSupplier count) {
        waiting = count;
    }

    boolean isReady() {
        return readiness.getAsBoolean();
    }

    int waiting() {
        return waiting.getAsInt();
    }
}
