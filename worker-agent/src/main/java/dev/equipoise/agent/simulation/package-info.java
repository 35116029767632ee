/**
 * Virtual runs and replays: plays all ranks of a run in this process, with the loops of {@code
 * training} on the channels and clocks of {@code virtual}.
 */
@NullMarked
package dev.equipoise.agent.simulation;

import org.jspecify.annotations.NullMarked;
