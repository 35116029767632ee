package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;

/** A worker takes nothing new any more; published in the transaction that says so. */
public record WorkerCordoned(WorkerId worker, String name) {}
