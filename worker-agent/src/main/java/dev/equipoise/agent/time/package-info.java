/** Clocks, the slowdown by which a fast host emulates a slow one, and background threads. */
@NullMarked
package dev.equipoise.agent.time;

import org.jspecify.annotations.NullMarked;
