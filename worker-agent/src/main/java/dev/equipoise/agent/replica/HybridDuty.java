package dev.equipoise.agent.replica;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.synchronization.HybridSums;
import dev.equipoise.agent.synchronization.Participant;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.RoundReached;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.network.Loss;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/*
 * Ozawa, Sugaya and Aso (ALGORITHMS section 8): the members of a group see the same samples, each with
 * its own hidden units, and sum the outputs' inputs; the ranks at the same position of all groups
 * have the same hidden units, and sum their gradients. Each rank steps its own hidden units alone,
 * which is the step of the whole network.
 */
/** The training loop of a rank that has some of the hidden units. */
final class HybridDuty implements Duty {

    private static final int WARM_UPS = 40;
    private static final int LEAST_WARM_UPS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private final Participant participant;
    private final Grouping grouping;
    private final int rank;
    private final int first;
    private final IntFunction<int[]> orders;
    private final SliceLearner learner;
    private final MemorySegment whole;
    private final HybridSums sums;
    private final Stepper stepper;
    private final FloatScale scale = FloatScale.fastest();
    private final boolean means;
    private final Divergence divergence;
    private int epochReached;
    private int roundReached;

    /**
     * @param orders of the samples in each epoch, from 1
     * @param divergence watches the participant's weights, which are those of the whole network
     */
    HybridDuty(
            Participant participant,
            Grouping grouping,
            IntFunction<int[]> orders,
            SliceLearner learner,
            Divergence divergence) {
        TrainingPlan plan = participant.plan();
        this.participant = participant;
        this.grouping = grouping;
        this.rank = participant.channel().rank();
        this.first = grouping.groups().get(grouping.groupOf(rank)).getFirst();
        this.orders = orders;
        this.learner = learner;
        this.whole = participant.weights();
        this.sums = new HybridSums(participant, grouping);
        this.stepper = participant.stepper(learner.hidden().parameters());
        this.means = plan.loss().reduction() == Loss.Reduction.MEAN;
        this.divergence = divergence;
    }

    /**
     * Computes gradients without applying them, of its own part of the sums: nobody is waited for.
     */
    @Override
    public void warmUp() throws InterruptedException {
        int[] order = orders.apply(1);
        Shards shards = participant.shards().of(1);
        long end = participant.time().nanoTime() + WARM_UP.toNanos();
        for (int i = 0;
                i < WARM_UPS && (i < LEAST_WARM_UPS || participant.time().nanoTime() < end);
                i++) {
            requireNotInterrupted();
            learner.sums(order, shards.batch(first, i % shards.rounds()));
            learner.learn();
        }
    }

    @Override
    public void epoch(Epoch epoch, Consumer<AgentEvent> listener) throws InterruptedException {
        int[] order = orders.apply(epoch.number());
        Shards shards = participant.shards().of(epoch.number());
        learner.begin(epoch.number());
        for (int round = 1; round <= shards.rounds(); round++) {
            moveTo(epoch.number(), round);
            learn(order, shards, epoch);
            listener.accept(new RoundReached(rank, epoch.number(), round));
        }
    }

    private void learn(int[] order, Shards shards, Epoch epoch) {
        Slice samples = shards.batch(first, roundReached - 1);
        MemorySegment outputs = learner.sums(order, samples);
        participant.instruments().end(Phase.COMPUTE);
        sums.inGroup(outputs);
        double loss = learner.learn();
        watch(loss);
        weigh(samples.count(), shards);
        participant.instruments().end(Phase.COMPUTE);
        sums.overGroups(learner.hidden().gradients());
        participant.instruments().stepped(stepper.step(learner.hidden().gradient(), 1));
        participant.instruments().end(Phase.APPLY);
        epoch.add(rank == first ? samples.count() : 0, loss);
    }

    /** By the samples of the group over those of all groups, which makes a mean of means. */
    private void weigh(int samples, Shards shards) {
        int all = 0;
        for (List<Integer> group : grouping.groups()) {
            all += shards.batchSize(group.getFirst(), roundReached - 1);
        }
        if (means && all > 0 && samples < all) {
            MemorySegment gradient = learner.hidden().gradient();
            scale.scale(gradient, (float) samples / all, gradient);
        }
    }

    /** The whole network's weights are those of the last epoch's end; good ones are kept then. */
    private void watch(double loss) {
        if (roundReached == 1) {
            divergence.requireFinite(loss, epochReached, roundReached);
        } else {
            divergence.requireNumber(loss, epochReached, roundReached);
        }
    }

    /** A sum to which each rank of a group adds its own weights and nothing else is exact. */
    @Override
    public void assemble() {
        whole.fill((byte) 0);
        learner.hidden().putInto(whole);
        sums.assemble(whole);
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
    public void requireFinite(double loss) {
        divergence.requireFinite(loss, epochReached, roundReached);
    }

    /** Epoch 0 is before the first round. */
    @Override
    public String position() {
        return Divergence.position(rank, epochReached, roundReached);
    }

    /** Those of the whole network, which each group puts together. */
    @Override
    public boolean keepsReplicasEqual() {
        return true;
    }

    @Override
    public int exchangesPerRound() {
        return sums.exchangesPerRound();
    }
}
