package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.server.RemoteParameters;
import java.lang.foreign.MemorySegment;

/** Synchronizer whose sums parameter servers compute; it frees the servers between epochs. */
record ServedRounds(Synchronizer rounds, RemoteParameters servers, Instruments instruments)
        implements Synchronizer {

    /** Number of exchanges of Local SGD, which has the most. */
    static final int EXCHANGES = 3;

    @Override
    public void beginEpoch(int epoch) {
        rounds.beginEpoch(epoch);
    }

    @Override
    public double weightInMean(int replicas) {
        return rounds.weightInMean(replicas);
    }

    @Override
    public void begin() {
        rounds.begin();
    }

    @Override
    public void completed(MemorySegment gradient, long offset) {
        rounds.completed(gradient, offset);
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
        instruments.sent(TrafficKind.CONTROL);
    }

    @Override
    public void share() {
        rounds.share();
    }

    /** Servers hold no valid weights. */
    @Override
    public boolean keepsReplicasEqual() {
        return false;
    }

    @Override
    public int exchangesPerRound() {
        return EXCHANGES;
    }
}
