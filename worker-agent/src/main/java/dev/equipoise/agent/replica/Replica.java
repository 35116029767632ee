package dev.equipoise.agent.replica;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.Stamps;
import dev.equipoise.agent.replica.Evaluation.Findings;
import dev.equipoise.agent.synchronization.Participant;
import dev.equipoise.agent.synchronization.Rehearsal;
import dev.equipoise.agent.synchronization.Synchronizer;
import dev.equipoise.agent.synchronization.Synchronizers;
import dev.equipoise.agent.time.Background;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.ReplicaReady;
import dev.equipoise.protocol.AgentEvent.RoundReached;
import dev.equipoise.protocol.Observation.Replicas;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One copy of the model, in training. The thread that trains is the only one that uses it. */
final class Replica {

    private static final int WARM_UPS = 40;
    private static final int LEAST_WARM_UPS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private final TrainingPlan plan;
    private final IntFunction<int[]> orders;
    private final int rank;
    private final Learner learner;
    private final Time time;
    private final Shards shards;
    private final Participant participant;
    private final Synchronizer synchronizer;
    private final Instruments instruments;
    private final Stamps stamps;
    private final Evaluation evaluation;
    private final Divergence divergence;
    private int epochReached;
    private int roundReached;

    /**
     * @param orders of the samples in each epoch, from 1
     * @param memory must outlive the replica
     */
    Replica(
            TrainingPlan plan,
            IntFunction<int[]> orders,
            Learner learner,
            Channel channel,
            Background background,
            Time time,
            Arena memory,
            Divergence.Keeper keeper) {
        this.plan = plan;
        this.orders = orders;
        this.rank = channel.rank();
        this.learner = learner;
        this.time = time;
        this.shards = new Shards(plan.division().shares(), plan.division().rounds());
        this.instruments = new Instruments(time, channel, plan.observation().trace());
        this.participant =
                new Participant(
                        plan,
                        channel,
                        time,
                        background,
                        instruments,
                        learner.weights(),
                        learner.blocks(),
                        learner.descent(),
                        memory);
        this.synchronizer = Synchronizers.of(participant);
        this.stamps =
                new Stamps(
                        channel,
                        time,
                        plan.division().rounds() * synchronizer.exchangesPerRound(),
                        memory);
        this.evaluation =
                new Evaluation(plan, learner, channel, synchronizer.keepsReplicasEqual(), memory);
        this.divergence = new Divergence(rank, learner.weights(), memory, keeper);
    }

    /**
     * Computes gradients without applying them: the first ones run uncompiled, and would make the
     * first epoch unlike the others.
     */
    void warmUp() throws InterruptedException {
        int[] order = orders.apply(1);
        long end = time.nanoTime() + WARM_UP.toNanos();
        for (int i = 0; i < WARM_UPS && (i < LEAST_WARM_UPS || time.nanoTime() < end); i++) {
            requireNotInterrupted();
            learner.learn(order, shards.batch(rank, i % plan.division().rounds()));
        }
    }

    /** All epochs, from first to last; the listener hears of every round and every epoch. */
    void train(Consumer<AgentEvent> listener) throws InterruptedException {
        for (int number = 1; number <= plan.epochs(); number++) {
            int[] order = orders.apply(number);
            var epoch = new Epoch(rank, number);
            instruments.begin();
            for (int round = 1; round <= plan.division().rounds(); round++) {
                moveTo(number, round);
                learn(order, shards.batch(rank, round - 1), epoch);
                listener.accept(new RoundReached(rank, number, round));
            }
            synchronizer.settle();
            stamps.settle(instruments);
            listener.accept(epoch.finished(instruments, findings(number), fingerprint()));
        }
    }

    private void learn(int[] order, Slice slice, Epoch epoch) throws InterruptedException {
        synchronizer.begin();
        double loss = learner.learn(order, slice);
        divergence.requireFinite(loss, epochReached, roundReached);
        instruments.end(Phase.COMPUTE);
        synchronizer.update(learner.gradient(), slice.count());
        epoch.add(slice.count(), loss);
    }

    private @Nullable Findings findings(int epoch) throws InterruptedException {
        boolean last = epoch == plan.epochs();
        if (epoch % plan.observation().evaluateEvery() != 0 && !last) {
            return null;
        }
        Replicas wanted = plan.observation().replicas();
        Findings findings =
                evaluation.find(wanted == Replicas.ALWAYS || (wanted == Replicas.LAST && last));
        divergence.requireFinite(findings.test().lossSum(), epochReached, roundReached);
        return findings;
    }

    /** Where the training is, for messages; epoch 0 before the first round. */
    String position() {
        return Divergence.position(rank, epochReached, roundReached);
    }

    String fingerprint() {
        return Fingerprint.of(learner.weights());
    }

    /** That all ranks can begin, and what a sum over all of them takes; every rank calls it. */
    ReplicaReady ready() {
        return new ReplicaReady(rank, Rehearsal.sumSeconds(participant), fingerprint());
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
}
