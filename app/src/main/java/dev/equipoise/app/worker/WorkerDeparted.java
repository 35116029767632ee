package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;

/**
 * A worker was lost or left; published in the transaction of the change.
 *
 * @param how predicate of a message, for example {@code was silent for 10 s}
 */
public record WorkerDeparted(WorkerId worker, String name, String how) {}
