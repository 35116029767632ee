package dev.equipoise.app.schedule;

import dev.equipoise.protocol.RunId;
import org.jspecify.annotations.Nullable;

/** The last round that an agent has ended, which it keeps when it has another part. */
record SimulatedRound(RunId run, int generation, long step) {

    boolean isBefore(@Nullable SimulatedRound other) {
        return other != null
                && other.run.equals(run)
                && other.generation == generation
                && other.step > step;
    }
}
