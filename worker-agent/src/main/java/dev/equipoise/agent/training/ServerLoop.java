package dev.equipoise.agent.training;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.codec.NotFinite;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.synchronization.RankContext;
import dev.equipoise.agent.synchronization.ServerRole;
import dev.equipoise.agent.training.Evaluation.Findings;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Loop of a parameter server. It reports divergence only of a sum and of an evaluation. */
final class ServerLoop implements RankLoop {

    private final ServerRole server;
    private final Channel channel;
    private final EpochShards epochs;
    private int currentEpoch;
    private @Nullable RecoveryPoint recoveryPoint;

    ServerLoop(RankContext context) {
        this.server = new ServerRole(context);
        this.channel = context.channel();
        this.epochs = context.shards();
    }

    @Override
    public void warmUp() {}

    @Override
    public void epoch(Epoch epoch, Consumer<RunReport> listener) {
        currentEpoch = epoch.number();
        try {
            server.serve(epoch.number());
            moveRecoveryPoint(epoch);
            if (!channel.hasLosses()) {
                server.share();
            }
        } catch (NotFinite e) {
            throw diverged(String.valueOf(e.getMessage()), e);
        }
    }

    private AssignmentFailed diverged(String why, @Nullable NotFinite cause) {
        return AssignmentFailed.byUser(
                "diverged", "the training diverged at %s: %s".formatted(position(), why), cause);
    }

    private void moveRecoveryPoint(Epoch epoch) {
        if (recoveryPoint != null) {
            recoveryPoint.at(epochs.of(epoch.number()).end(epoch.number()), 0, 0);
        }
    }

    @Override
    public void commitTo(RecoveryPoint newRecoveryPoint) {
        recoveryPoint = newRecoveryPoint;
    }

    @Override
    public void resume(Position from) {
        epochs.resume(from);
    }

    @Override
    public void requireFinite(Findings findings) {
        if (!findings.areFinite()) {
            throw diverged("the evaluation must be finite", null);
        }
    }

    @Override
    public String position() {
        return "server rank %d, epoch %d".formatted(channel.rank(), currentEpoch);
    }

    @Override
    public boolean keepsReplicasEqual() {
        return server.keepsWeights();
    }

    @Override
    public double weightInMean(int replicas) {
        return 0;
    }

    @Override
    public int exchangesPerRound() {
        return server.exchangesPerRound();
    }
}
