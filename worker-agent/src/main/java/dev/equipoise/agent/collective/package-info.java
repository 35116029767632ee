/**
 * Collectives of all ranks of a run, on any channel: all-reduce, all-gather, broadcast, means and
 * barriers.
 */
@NullMarked
package dev.equipoise.agent.collective;

import org.jspecify.annotations.NullMarked;
