/**
 * Trains one replica of a run: gets its data, meets its peers, repeats gradient, agreement and step
 * epoch by epoch, and tells of it.
 */
@NullMarked
package dev.equipoise.agent.replica;

import org.jspecify.annotations.NullMarked;
