package dev.equipoise.agent.replica;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.codec.NotFinite;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.synchronization.Participant;
import dev.equipoise.agent.synchronization.Serving;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Position;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers the replicas; whether they diverge is theirs to say, unless it is their sum that does.
 */
final class ServingDuty implements Duty {

    private final Serving serving;
    private final Channel channel;
    private final EpochShards epochs;
    private int epochReached;
    private @Nullable Commit commit;

    ServingDuty(Participant participant) {
        this.serving = new Serving(participant);
        this.channel = participant.channel();
        this.epochs = participant.shards();
    }

    @Override
    public void warmUp() {}

    @Override
    public void epoch(Epoch epoch, Consumer<AgentEvent> listener) {
        epochReached = epoch.number();
        try {
            serving.serveAnEpoch();
            commit(epoch);
            if (!channel.hasLosses()) {
                serving.share();
            }
        } catch (NotFinite e) {
            throw AssignmentFailed.byUser(
                    "diverged",
                    "the training diverged at %s: %s".formatted(position(), e.getMessage()),
                    e);
        }
    }

    private void commit(Epoch epoch) {
        if (commit != null) {
            commit.at(epochs.of(epoch.number()).end(epoch.number()), 0, 0);
        }
    }

    @Override
    public void commitTo(Commit kept) {
        commit = kept;
    }

    @Override
    public void resume(Position from) {
        epochs.resume(from);
    }

    @Override
    public void requireFinite(double loss) {}

    @Override
    public String position() {
        return "rank %d, which serves, epoch %d".formatted(channel.rank(), epochReached);
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
