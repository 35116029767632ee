package dev.equipoise.agent.channel;

import java.util.UUID;

/**
 * One rank's place in a run.
 *
 * @param generation grows each time the run is placed anew and fences every frame
 */
public record RunGroup(UUID run, int generation, int rank, int size, RunKey key) {

    public RunGroup {
        if (generation < 0) {
            throw new IllegalArgumentException(
                    "the generation must not be negative, but was " + generation);
        }
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "the rank must be in 0..%d, but was %d".formatted(size - 1, rank));
        }
    }

    /** Names the rank in messages. */
    String describe() {
        return "rank %d of run %s, generation %d".formatted(rank, run, generation);
    }
}
