/**
 * Training of one rank of a run: loads the data, meets the peers, repeats gradient, synchronization
 * and step epoch by epoch, and reports.
 */
@NullMarked
package dev.equipoise.agent.training;

import org.jspecify.annotations.NullMarked;
