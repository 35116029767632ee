package dev.equipoise.agent.replica;

import dev.equipoise.agent.time.Phase;
import dev.equipoise.agent.time.Phases;
import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Evaluated;
import org.jspecify.annotations.Nullable;

/** Sums up what one rank does in one epoch. One thread uses it. */
final class Epoch {

    private final int number;
    private final Phases phases;
    private final long bytesSentBefore;
    private int samples;
    private double lossSum;

    Epoch(int number, Phases phases, long bytesSentBefore) {
        this.number = number;
        this.phases = phases;
        this.bytesSentBefore = bytesSentBefore;
    }

    Phases phases() {
        return phases;
    }

    /** A mini-batch more, with its mean loss. */
    void add(int batch, double meanLoss) {
        samples += batch;
        lossSum += batch * meanLoss;
    }

    EpochFinished finished(long bytesSent, @Nullable Evaluated test, String parameters) {
        return new EpochFinished(
                number,
                samples,
                phases.seconds(Phase.COMPUTE),
                phases.seconds(Phase.TRANSFER),
                phases.seconds(Phase.WAIT),
                phases.wallSeconds(),
                bytesSent - bytesSentBefore,
                samples == 0 ? 0 : lossSum / samples,
                test,
                parameters);
    }
}
