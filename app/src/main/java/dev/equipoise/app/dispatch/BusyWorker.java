package dev.equipoise.app.dispatch;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker with an open assignment.
 *
 * @param run null if it measures
 * @param since when it got the assignment
 */
public record BusyWorker(UUID worker, @Nullable UUID run, Instant since) {}
