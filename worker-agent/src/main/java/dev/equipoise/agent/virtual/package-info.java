/**
 * Virtual runs: runs all ranks of a run in this process on a virtual clock, with real computation
 * and real exchanges, at the times given by models of the hosts and links. One rank runs at a time,
 * always the one with the least clock, so that a run is equal to the last bit on every host.
 */
@NullMarked
package dev.equipoise.agent.virtual;

import org.jspecify.annotations.NullMarked;
