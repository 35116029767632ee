package dev.equipoise.agent.replica;

import dev.equipoise.agent.codec.NotFinite;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.synchronization.Serving;
import dev.equipoise.protocol.AgentEvent;
import java.util.function.Consumer;

/**
 * Answers the replicas; whether they diverge is theirs to say, unless it is their sum that does.
 */
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
        try {
            serving.serveAnEpoch();
        } catch (NotFinite e) {
            throw AssignmentFailed.byUser(
                    "diverged",
                    "the training diverged at %s: %s".formatted(position(), e.getMessage()),
                    e);
        }
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
