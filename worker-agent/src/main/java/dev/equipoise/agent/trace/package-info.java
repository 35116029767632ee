/**
 * This agent's part of the trace of a run: what the time went to between a lease and the last word
 * on it. Where no collector is named nothing of it is there.
 */
@NullMarked
package dev.equipoise.agent.trace;

import org.jspecify.annotations.NullMarked;
