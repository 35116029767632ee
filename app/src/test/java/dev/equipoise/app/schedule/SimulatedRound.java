package dev.equipoise.app.schedule;

import dev.equipoise.protocol.RunId;
import org.jspecify.annotations.Nullable;

/** The last round that an agent completed; it survives a change of its assignment. */
record SimulatedRound(RunId run, int generation, long step) {

    boolean isBefore(@Nullable SimulatedRound other) {
        return other != null
                && other.run.equals(run)
                && other.generation == generation
                && other.step > step;
    }
}
