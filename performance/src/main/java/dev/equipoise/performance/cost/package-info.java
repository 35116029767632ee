/** Cost models of exchanges: seconds and bytes of all-reduces, frame sizes and codec speeds. */
@NullMarked
package dev.equipoise.performance.cost;

import org.jspecify.annotations.NullMarked;
