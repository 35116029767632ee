package dev.equipoise.app.worker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Load and used memory of the host of a worker.
 *
 * @param at minute of the heartbeat
 * @param load run-queue length; null if unknown
 * @param usedMemoryBytes used memory, in bytes; null if unknown
 */
record WorkerSample(Instant at, @Nullable Double load, @Nullable Double usedMemoryBytes) {}
