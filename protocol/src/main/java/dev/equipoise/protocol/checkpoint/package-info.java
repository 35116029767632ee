/** The file that holds all that a run needs to go on after an epoch. */
@NullMarked
package dev.equipoise.protocol.checkpoint;

import org.jspecify.annotations.NullMarked;
