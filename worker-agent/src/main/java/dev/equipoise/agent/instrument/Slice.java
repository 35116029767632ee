package dev.equipoise.agent.instrument;

/**
 * A phase of a round, on the rank's clock.
 *
 * @param begun in nanoseconds
 * @param ended in nanoseconds
 */
record Slice(Phase phase, long begun, long ended) {}
