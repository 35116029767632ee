package dev.equipoise.app.problem;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the bytes of bodies that are in memory at the same time. No caller gets more than a
 * quarter, so that one that sends many large bodies slowly does not exclude others.
 */
final class BodyBudget {

    private static final int CALLERS = 4;

    private final long most;
    private final Map<String, Long> taken = new HashMap<>();
    private long sum;

    BodyBudget(long most) {
        this.most = most;
    }

    /** Takes bytes for a caller, or returns false if too few are left. */
    synchronized boolean take(String caller, long bytes) {
        long own = taken.getOrDefault(caller, 0L) + bytes;
        if (sum + bytes > most || own > most / CALLERS) {
            return false;
        }
        sum += bytes;
        taken.put(caller, own);
        return true;
    }

    /** Gives bytes back that the caller has taken. */
    synchronized void giveBack(String caller, long bytes) {
        sum -= bytes;
        taken.computeIfPresent(caller, (_, own) -> own > bytes ? own - bytes : null);
    }
}
