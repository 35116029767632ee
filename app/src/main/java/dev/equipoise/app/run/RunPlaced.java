package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.time.Duration;

/**
 * Event: a run has its workers. Published in the transaction that records it.
 *
 * @param waited time since the run was queued, or lost its former workers
 */
public record RunPlaced(RunId run, int generation, Duration waited) {}
