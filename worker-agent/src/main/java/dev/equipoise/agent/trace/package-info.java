/**
 * Spans of this agent in the trace of a run, from a lease to its last event; empty without a
 * collector.
 */
@NullMarked
package dev.equipoise.agent.trace;

import org.jspecify.annotations.NullMarked;
