package dev.equipoise.agent.instrument;

/**
 * Time slice of a phase, on the rank's clock.
 *
 * @param begun in nanoseconds
 * @param ended in nanoseconds
 */
record TraceSlice(Phase phase, long begun, long ended) {}
