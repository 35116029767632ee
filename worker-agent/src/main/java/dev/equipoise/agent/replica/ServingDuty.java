package dev.equipoise.agent.replica;

import dev.equipoise.agent.synchronization.Serving;
import dev.equipoise.protocol.AgentEvent;
import java.util.function.Consumer;

/** Answers the replicas; whether they diverge is theirs to say. */
final class ServingDuty implements Duty {

    private final Serving serving;
    private final int rank;
    private int epochReached;

    ServingDuty(Serving serving, int rank) {
        this.serving = serving;
        this.rank = rank;
    }

    @Override
    public void warmUp() {}

    @Override
    public void epoch(Epoch epoch, Consumer<AgentEvent> listener) {
        epochReached = epoch.number();
        serving.serveAnEpoch();
    }

    @Override
    public void requireFinite(double loss) {}

    @Override
    public String position() {
        return "rank %d, which serves, epoch %d".formatted(rank, epochReached);
    }

    @Override
    public boolean keepsReplicasEqual() {
        return serving.keepsWeights();
    }

    @Override
    public int exchangesPerRound() {
        return serving.exchangesPerRound();
    }
}
