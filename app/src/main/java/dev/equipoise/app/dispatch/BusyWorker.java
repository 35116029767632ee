package dev.equipoise.app.dispatch;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker that is allocated to a run or a measurement.
 *
 * @param run null if it measures
 * @param since when it got the assignment
 */
public record BusyWorker(UUID worker, @Nullable UUID run, Instant since) {}
