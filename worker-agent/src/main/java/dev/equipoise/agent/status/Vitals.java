package dev.equipoise.agent.status;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** How the agent is at this moment, as whoever knows says. Any thread may call. */
public final class Vitals {

    private volatile BooleanSupplier readiness = () -> false;
    private volatile IntSupplier waiting = () -> 0;

    /** From now on it is ready while this holds. */
    public void readyWhile(BooleanSupplier condition) {
        readiness = condition;
    }

    /** From now on this tells how many events the service has not confirmed. */
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
