/** Format of the checkpoint file, from which a run continues after an epoch. */
@NullMarked
package dev.equipoise.protocol.checkpoint;

import org.jspecify.annotations.NullMarked;
