package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;

/**
 * A reason why two workers cannot take part in the same run.
 *
 * @param one the worker that cannot reach the other; the other itself if it is in no cluster
 * @param message names both workers and the address, for people
 */
public record ReachabilityFailure(WorkerId one, WorkerId other, String message) {

    /** Whether it concerns a worker. */
    public boolean isOf(WorkerId worker) {
        return one.equals(worker) || other.equals(worker);
    }
}
