/**
 * All that a run needs to go on after an epoch, on other workers and to the same bits: what is in
 * it, and how it is written to a stream and read from one.
 */
@NullMarked
package dev.equipoise.agent.checkpoint;

import org.jspecify.annotations.NullMarked;
