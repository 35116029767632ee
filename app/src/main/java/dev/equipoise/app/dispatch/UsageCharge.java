package dev.equipoise.app.dispatch;

import java.time.Instant;
import java.util.UUID;

/**
 * The usage of one generation of a run.
 *
 * @param workerSeconds sum over its workers of the seconds of their allocation
 * @param at end of the generation
 */
public record UsageCharge(
        UUID run, int generation, UUID project, double workerSeconds, Instant at) {}
