package dev.equipoise.app.schedule;

import java.time.Instant;
import java.util.UUID;

/**
 * What a generation of a run has used.
 *
 * @param workerSeconds the time for which it had each of its workers, all together
 * @param at when it ended
 */
record Charge(UUID run, int generation, UUID project, double workerSeconds, Instant at) {}
