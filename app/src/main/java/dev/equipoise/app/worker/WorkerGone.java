package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;

/**
 * A worker was lost or left; published in the transaction that says so.
 *
 * @param how for people, for example {@code was silent for 10 s}
 */
public record WorkerGone(WorkerId worker, String name, String how) {}
