package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.server.RemoteParameters;
import java.lang.foreign.MemorySegment;

/** Rounds whose sums servers make: they are free between epochs. */
record ServedRounds(Synchronizer rounds, RemoteParameters servers) implements Synchronizer {

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds.update(gradient, samples);
    }

    @Override
    public void settle() {
        rounds.settle();
        servers.pause();
    }

    @Override
    public boolean keepsReplicasEqual() {
        return false;
    }

    @Override
    public int exchangesPerRound() {
        return rounds.exchangesPerRound();
    }
}
