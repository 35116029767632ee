/**
 * State from which a run continues after an epoch, on other workers and with the same bits: what it
 * contains, and how it is written to a stream and read from one.
 */
@NullMarked
package dev.equipoise.agent.checkpoint;

import org.jspecify.annotations.NullMarked;
