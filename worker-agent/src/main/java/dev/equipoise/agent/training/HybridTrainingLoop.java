package dev.equipoise.agent.training;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.synchronization.HybridSums;
import dev.equipoise.agent.synchronization.RankContext;
import dev.equipoise.agent.training.Evaluation.Findings;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.network.Loss;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/*
 * Ozawa, Sugaya and Aso (docs/algorithms.md, section 8): the members of a group process the same
 * samples, each with its own hidden units, and sum the inputs of the outputs; the ranks at the same
 * position of all groups have the same hidden units, and sum their gradients. Each rank steps its
 * own hidden units alone, which equals a step of the whole network.
 */
/** Training loop of hybrid parallelism, for a rank that has some of the hidden units. */
final class HybridTrainingLoop implements RankLoop {

    private final RankContext context;
    private final Grouping grouping;
    private final LoopPosition position;
    private final WarmUp warmUp;
    private final int first;
    private final IntFunction<int[]> orders;
    private final SliceLearner learner;
    private final MemorySegment whole;
    private final HybridSums sums;
    private final Stepper stepper;
    private final FloatScale scale = FloatScale.fastest();
    private final boolean isMean;
    private final DivergenceDetector divergence;
    private final Optional<SliceState> state;

    /**
     * @param orders permutation of the samples by epoch, from 1
     * @param divergence observes the weights of the context, which are those of the whole network
     * @param isResumable whether the rank state must be complete after each epoch
     */
    HybridTrainingLoop(
            RankContext context,
            Grouping grouping,
            LoopPosition position,
            IntFunction<int[]> orders,
            SliceLearner learner,
            DivergenceDetector divergence,
            boolean isResumable) {
        TrainingPlan plan = context.plan();
        this.context = context;
        this.grouping = grouping;
        this.position = position;
        this.warmUp = new WarmUp(context.time(), position);
        this.first = grouping.groups().get(grouping.groupOf(position.rank())).getFirst();
        this.orders = orders;
        this.learner = learner;
        this.whole = context.weights();
        this.sums = new HybridSums(context, grouping);
        this.stepper = context.unregisteredStepper(learner.hidden().parameters());
        this.state =
                isResumable
                        ? Optional.of(new SliceState(context, learner.hidden(), stepper, sums))
                        : Optional.empty();
        this.isMean = plan.loss().reduction() == Loss.Reduction.MEAN;
        this.divergence = divergence;
    }

    /** Computes gradients of its own part without applying them, and waits for no other rank. */
    @Override
    public void warmUp() throws InterruptedException {
        int[] order = orders.apply(1);
        Shards shards = context.shards().of(1);
        warmUp.repeat(i -> {
            learner.sums(order, shards.batch(first, i % shards.rounds()));
            learner.learn();
        });
    }

    @Override
    public void epoch(Epoch epoch, Consumer<RunReport> listener) throws InterruptedException {
        int[] order = orders.apply(epoch.number());
        Shards shards = context.shards().of(epoch.number());
        learner.begin(epoch.number());
        for (int round = 1; round <= shards.rounds(); round++) {
            position.moveTo(epoch.number(), round);
            learn(order, shards, epoch);
            listener.accept(new RoundReached(position.rank(), epoch.number(), round));
        }
    }

    private void learn(int[] order, Shards shards, Epoch epoch) {
        Slice samples = shards.batch(first, position.round() - 1);
        MemorySegment outputs = learner.sums(order, samples);
        context.instruments().end(Phase.COMPUTE);
        sums.inGroup(outputs);
        double loss = learner.learn();
        check(loss);
        int total = samplesOfAllGroups(shards);
        scaleByShare(samples.count(), total);
        context.instruments().end(Phase.COMPUTE);
        sums.overGroups(learner.hidden().gradients());
        if (total > 0) {
            long step = (epoch.number() - 1L) * shards.rounds() + position.round() - 1;
            context.instruments().stepped(stepper.stepAt(step, learner.hidden().gradient(), 1));
        }
        context.instruments().end(Phase.APPLY);
        epoch.add(position.rank() == first ? samples.count() : 0, loss);
    }

    private int samplesOfAllGroups(Shards shards) {
        int total = 0;
        for (List<Integer> group : grouping.groups()) {
            total += shards.batchSize(group.getFirst(), position.round() - 1);
        }
        return total;
    }

    /** Scales the gradient by the group's fraction of all samples, which makes a mean of means. */
    private void scaleByShare(int samples, int total) {
        if (isMean && total > 0 && samples < total) {
            MemorySegment gradient = learner.hidden().gradient();
            scale.scale(gradient, (float) samples / total, gradient);
        }
    }

    /**
     * Checks the loss. The weights of the whole network are those of the last epoch's end, so that
     * finite ones are kept in the first round only.
     */
    private void check(double loss) {
        if (position.round() == 1) {
            divergence.requireFinite(loss);
        } else {
            divergence.requireNumber(loss);
        }
    }

    /**
     * Sums the weights of the group; each element has one nonzero summand, so that the sum is
     * exact.
     */
    @Override
    public void assemble() {
        whole.fill((byte) 0);
        learner.hidden().putInto(whole);
        sums.assemble(whole);
        state.ifPresent(SliceState::assemble);
    }

    /** Continues after an epoch, with this rank's part of the restored network. */
    @Override
    public void resume(Position from) {
        if (from.round() > 0) {
            throw new IllegalStateException(
                    "%s cannot continue within an epoch, after round %d"
                            .formatted(position(), from.round()));
        }
        learner.hidden().cutFrom(whole);
        state.ifPresent(SliceState::restore);
    }

    @Override
    public void requireFinite(Findings findings) {
        divergence.requireFinite(findings);
    }

    @Override
    public String position() {
        return position.toString();
    }

    /** The weights of the whole network, which each group assembles, are equal. */
    @Override
    public boolean keepsReplicasEqual() {
        return true;
    }

    @Override
    public int exchangesPerRound() {
        return sums.exchangesPerRound();
    }
}
