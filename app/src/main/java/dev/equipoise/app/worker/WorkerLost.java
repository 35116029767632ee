package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import java.time.Instant;

/** Event: a worker was lost. Published in the transaction that records it. */
public record WorkerLost(WorkerId worker, String name, Instant lastSeenAt, Instant at) {}
