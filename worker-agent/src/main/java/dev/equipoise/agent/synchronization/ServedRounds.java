package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.server.RemoteParameters;
import java.lang.foreign.MemorySegment;

/** Rounds whose sums servers make: they are free between epochs. */
record ServedRounds(Synchronizer rounds, RemoteParameters servers) implements Synchronizer {

    /** Of Local-SGD, which has the most. */
    static final int EXCHANGES = 3;

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds.update(gradient, samples);
    }

    @Override
    public void settle() {
        rounds.settle();
        servers.pause();
    }

    /** Those that serve hold none that are worth anything. */
    @Override
    public boolean keepsReplicasEqual() {
        return false;
    }

    @Override
    public int exchangesPerRound() {
        return EXCHANGES;
    }
}
