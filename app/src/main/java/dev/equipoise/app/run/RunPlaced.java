package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.time.Duration;

/**
 * A run has its workers; published in the transaction that says so.
 *
 * @param waited since it was queued, or lost those that it had
 */
public record RunPlaced(RunId run, int generation, Duration waited) {}
