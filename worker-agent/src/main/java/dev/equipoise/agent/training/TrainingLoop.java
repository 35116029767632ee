package dev.equipoise.agent.training;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.codec.NotFinite;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.network.GradientListener;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.synchronization.RankContext;
import dev.equipoise.agent.synchronization.Synchronizer;
import dev.equipoise.agent.synchronization.Synchronizers;
import dev.equipoise.agent.training.Evaluation.Findings;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.RoundReached;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Training loop: round by round, computes a gradient and passes it to the synchronizer. */
final class TrainingLoop implements RankLoop {

    private final LoopPosition position;
    private final WarmUp warmUp;
    private final Channel channel;
    private final EpochShards epochs;
    private final IntFunction<int[]> orders;
    private final Learner learner;
    private final Consumer<Minibatch> minibatchListener;
    private final Synchronizer synchronizer;
    private final GradientListener progress;
    private final Instruments instruments;
    private final DivergenceDetector divergence;
    private @Nullable RecoveryPoint recoveryPoint;

    /**
     * @param orders permutation of the samples by epoch, from 1
     */
    TrainingLoop(
            RankContext context,
            LoopPosition position,
            IntFunction<int[]> orders,
            Learner learner,
            DivergenceDetector divergence) {
        this.position = position;
        this.warmUp = new WarmUp(context.time(), position);
        this.channel = context.channel();
        this.epochs = context.shards();
        this.orders = orders;
        this.learner = learner;
        this.minibatchListener = context.minibatchListener();
        this.synchronizer = Synchronizers.of(context);
        this.progress = offset -> synchronizer.completed(learner.gradient(), offset);
        this.instruments = context.instruments();
        this.divergence = divergence;
    }

    /** Computes gradients without applying them. */
    @Override
    public void warmUp() throws InterruptedException {
        int[] order = orders.apply(1);
        Shards shards = epochs.of(1);
        int rank = position.rank();
        warmUp.repeat(i -> learner.warmUp(order, shards.batch(rank, i % shards.rounds())));
    }

    @Override
    public void epoch(Epoch epoch, Consumer<RunReport> listener) throws InterruptedException {
        int rank = position.rank();
        int[] order = orders.apply(epoch.number());
        Shards shards = epochs.of(epoch.number());
        learner.begin(epoch.number());
        synchronizer.beginEpoch(epoch.number());
        try {
            for (int round = shards.first() + 1; round <= shards.rounds(); round++) {
                position.moveTo(epoch.number(), round);
                learn(order, shards.batch(rank, round - 1), epoch);
                moveRecoveryPointAfterRound(epoch, round, shards);
                listener.accept(new RoundReached(rank, epoch.number(), round));
            }
            synchronizer.settle();
            moveRecoveryPointAfterEpoch(epoch, shards);
            if (!channel.hasLosses()) {
                synchronizer.share();
            }
        } catch (NotFinite e) {
            throw divergence.found(String.valueOf(e.getMessage()));
        }
    }

    private void learn(int[] order, Slice slice, Epoch epoch) throws InterruptedException {
        synchronizer.begin();
        double loss = learner.learn(order, slice, minibatchListener, progress);
        divergence.requireFinite(loss);
        instruments.end(Phase.COMPUTE);
        synchronizer.update(learner.gradient(), slice.count());
        epoch.add(slice.count(), loss);
    }

    private void moveRecoveryPointAfterRound(Epoch epoch, int round, Shards shards) {
        if (recoveryPoint != null && !recoveryPoint.isOfEpochs() && synchronizer.agrees()) {
            recoveryPoint.at(
                    new Position(epoch.number(), round, shards.before(round)),
                    epoch.samples(),
                    epoch.lossSum());
        }
    }

    private void moveRecoveryPointAfterEpoch(Epoch epoch, Shards shards) {
        if (recoveryPoint != null && recoveryPoint.isOfEpochs()) {
            recoveryPoint.at(shards.end(epoch.number()), epoch.samples(), epoch.lossSum());
        }
    }

    @Override
    public boolean isRoundWhole() {
        return synchronizer.isRoundWhole();
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
        divergence.requireFinite(findings);
    }

    @Override
    public String position() {
        return position.toString();
    }

    @Override
    public boolean keepsReplicasEqual() {
        return synchronizer.keepsReplicasEqual();
    }

    @Override
    public double weightInMean(int replicas) {
        return synchronizer.weightInMean(replicas);
    }

    @Override
    public int exchangesPerRound() {
        return synchronizer.exchangesPerRound();
    }
}
