package dev.equipoise.agent.replica;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.codec.NotFinite;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.synchronization.Participant;
import dev.equipoise.agent.synchronization.Synchronizer;
import dev.equipoise.agent.synchronization.Synchronizers;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.RoundReached;
import dev.equipoise.protocol.Position;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The training loop: round by round, a gradient, and what the synchronizer makes of it. */
final class TrainingDuty implements Duty {

    private static final int WARM_UPS = 40;
    private static final int LEAST_WARM_UPS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private final int rank;
    private final Channel channel;
    private final EpochShards epochs;
    private final IntFunction<int[]> orders;
    private final Learner learner;
    private final Synchronizer synchronizer;
    private final Instruments instruments;
    private final Divergence divergence;
    private final Time time;
    private int epochReached;
    private int roundReached;
    private @Nullable Commit commit;

    /**
     * @param orders of the samples in each epoch, from 1
     */
    TrainingDuty(
            Participant participant,
            IntFunction<int[]> orders,
            Learner learner,
            Divergence divergence) {
        this.channel = participant.channel();
        this.rank = channel.rank();
        this.epochs = participant.shards();
        this.orders = orders;
        this.learner = learner;
        this.synchronizer = Synchronizers.of(participant);
        this.instruments = participant.instruments();
        this.divergence = divergence;
        this.time = participant.time();
    }

    /** Computes gradients without applying them: the first ones run uncompiled. */
    @Override
    public void warmUp() throws InterruptedException {
        int[] order = orders.apply(1);
        Shards shards = epochs.of(1);
        long end = time.nanoTime() + WARM_UP.toNanos();
        for (int i = 0; i < WARM_UPS && (i < LEAST_WARM_UPS || time.nanoTime() < end); i++) {
            requireNotInterrupted();
            learner.rehearse(order, shards.batch(rank, i % shards.rounds()));
        }
    }

    @Override
    public void epoch(Epoch epoch, Consumer<AgentEvent> listener) throws InterruptedException {
        int[] order = orders.apply(epoch.number());
        Shards shards = epochs.of(epoch.number());
        learner.begin(epoch.number());
        try {
            for (int round = shards.first() + 1; round <= shards.rounds(); round++) {
                moveTo(epoch.number(), round);
                learn(order, shards.batch(rank, round - 1), epoch);
                commitRound(epoch, round, shards);
                listener.accept(new RoundReached(rank, epoch.number(), round));
            }
            synchronizer.settle();
            commitEpoch(epoch, shards);
            if (!channel.hasLosses()) {
                synchronizer.share();
            }
        } catch (NotFinite e) {
            throw divergence.found(epochReached, roundReached, String.valueOf(e.getMessage()));
        }
    }

    private void learn(int[] order, Slice slice, Epoch epoch) throws InterruptedException {
        synchronizer.begin();
        double loss = learner.learn(order, slice);
        requireFinite(loss);
        instruments.end(Phase.COMPUTE);
        synchronizer.update(learner.gradient(), slice.count());
        epoch.add(slice.count(), loss);
    }

    private void commitRound(Epoch epoch, int round, Shards shards) {
        if (commit != null && !commit.isOfEpochs() && synchronizer.agrees()) {
            commit.at(
                    new Position(epoch.number(), round, shards.before(round)),
                    epoch.samples(),
                    epoch.lossSum());
        }
    }

    private void commitEpoch(Epoch epoch, Shards shards) {
        if (commit != null && commit.isOfEpochs()) {
            commit.at(shards.end(epoch.number()), epoch.samples(), epoch.lossSum());
        }
    }

    private void moveTo(int epoch, int round) throws InterruptedException {
        epochReached = epoch;
        roundReached = round;
        requireNotInterrupted();
    }

    private void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(position());
        }
    }

    @Override
    public boolean isRoundWhole() {
        return synchronizer.isRoundWhole();
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
    public void requireFinite(double loss) {
        divergence.requireFinite(loss, epochReached, roundReached);
    }

    /** Epoch 0 is before the first round. */
    @Override
    public String position() {
        return Divergence.position(rank, epochReached, roundReached);
    }

    @Override
    public boolean keepsReplicasEqual() {
        return synchronizer.keepsReplicasEqual();
    }

    @Override
    public int exchangesPerRound() {
        return synchronizer.exchangesPerRound();
    }
}
