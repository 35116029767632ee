package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.server.RemoteParameters;
import java.lang.foreign.MemorySegment;

/** Rounds whose sums servers make: they are free between epochs. */
record ServedRounds(Synchronizer rounds, RemoteParameters servers, Instruments instruments)
        implements Synchronizer {

    /** Of Local-SGD, which has the most. */
    static final int EXCHANGES = 3;

    @Override
    public void begin() {
        rounds.begin();
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds.update(gradient, samples);
    }

    @Override
    public void settle() {
        rounds.settle();
        servers.pause();
        instruments.end(Phase.WAIT);
        instruments.sent(Kind.CONTROL);
    }

    @Override
    public void share() {
        rounds.share();
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
