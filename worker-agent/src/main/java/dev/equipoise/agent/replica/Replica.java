package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.synchronization.Synchronizer;
import dev.equipoise.agent.time.Pace;
import dev.equipoise.agent.time.Phase;
import dev.equipoise.agent.time.Phases;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Evaluated;
import dev.equipoise.protocol.AgentEvent.RoundReached;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One copy of the model, in training. The thread that trains is the only one that uses it. */
final class Replica {

    private static final int WARM_UPS = 40;
    private static final int LEAST_WARM_UPS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private final TrainingPlan plan;
    private final int rank;
    private final Network network;
    private final Channel channel;
    private final Pace pace;
    private final Time time;
    private final Dataset data;
    private final Shards shards;
    private final Minibatch minibatch;
    private final Optimizer optimizer;
    private final Synchronizer synchronizer;
    private final Evaluation evaluation;
    private final Divergence divergence;
    private final Finiteness finiteness = new Finiteness();
    private final GoodWeights goodWeights;
    private OptimizerState optimizerState;
    private int epochReached;
    private int roundReached;

    /** The memory must outlive the replica. */
    Replica(
            TrainingPlan plan,
            DatasetSplit data,
            Network network,
            Channel channel,
            Arena memory,
            Pace pace,
            Time time,
            Divergence divergence) {
        this.plan = plan;
        this.rank = channel.rank();
        this.network = network;
        this.channel = channel;
        this.pace = pace;
        this.time = time;
        this.divergence = divergence;
        this.goodWeights = new GoodWeights(network.parameterCount(), memory);
        this.data = data.training();
        this.shards = new Shards(plan.shares(), plan.rounds());
        this.minibatch =
                new Minibatch(
                        this.data.shape(),
                        this.data.positions(),
                        shards.largestBatch(rank),
                        memory);
        this.optimizer =
                Optimizer.of(plan.optimizer(), plan.rounds(), plan.epochs(), network.descent());
        this.optimizerState = optimizer.initialState(network.parameterCount(), memory);
        this.synchronizer = Synchronizer.of(plan, channel, network.parameterCount(), time, memory);
        this.evaluation =
                new Evaluation(data.test(), network.architecture().positions(), channel, memory);
    }

    /**
     * Computes gradients without applying them: the first ones run uncompiled, and would make the
     * first epoch unlike the others.
     */
    void warmUp() throws InterruptedException {
        int[] order = Permutation.of(plan.seed(), 1, plan.trainingSamples());
        long end = time.nanoTime() + WARM_UP.toNanos();
        for (int i = 0; i < WARM_UPS && (i < LEAST_WARM_UPS || time.nanoTime() < end); i++) {
            requireNotInterrupted();
            Slice slice = shards.batch(rank, i % plan.rounds());
            data.read(order, slice.from(), slice.count(), minibatch);
            network.gradient(minibatch);
        }
    }

    /** All epochs, from first to last; the listener hears of every round and every epoch. */
    void train(Consumer<AgentEvent> listener) throws InterruptedException {
        network.dropoutFrom(plan.seed(), rank);
        for (int number = 1; number <= plan.epochs(); number++) {
            int[] order = Permutation.of(plan.seed(), number, plan.trainingSamples());
            var epoch = new Epoch(number, Phases.begin(time), channel.bytesSent());
            for (int round = 1; round <= plan.rounds(); round++) {
                moveTo(number, round);
                step(order, shards.batch(rank, round - 1), epoch);
                listener.accept(new RoundReached(number, round));
            }
            long bytesSent = channel.bytesSent();
            listener.accept(epoch.finished(bytesSent, evaluated(number), fingerprint()));
        }
    }

    private @Nullable Evaluated evaluated(int epoch) throws InterruptedException {
        if (epoch % plan.evaluateEvery() != 0 && epoch != plan.epochs()) {
            return null;
        }
        Score score = evaluation.of(network);
        if (!Double.isFinite(score.lossSum())) {
            throw diverged("the loss on the test set is " + score.lossSum());
        }
        double predictions = score.predictions();
        return new Evaluated(score.correct() / predictions, score.lossSum() / predictions);
    }

    private void step(int[] order, Slice slice, Epoch epoch) {
        pace.begin();
        data.read(order, slice.from(), slice.count(), minibatch);
        double loss = network.gradient(minibatch, pace::rest);
        pace.end();
        spoilUnlessFinite(loss);
        epoch.phases().end(Phase.COMPUTE);

        var agreed = synchronizer.agree(network.gradient(), slice.count(), epoch.phases());
        requireFinite(agreed, loss);

        pace.begin();
        optimizerState = optimizer.step(optimizerState, network.parameters(), agreed);
        pace.end();
        epoch.phases().end(Phase.COMPUTE);
        epoch.add(slice.count(), loss);
    }

    /** Where the training is, for messages; epoch 0 before the first round. */
    String position() {
        return "rank %d, epoch %d, round %d".formatted(rank, epochReached, roundReached);
    }

    String fingerprint() {
        return Fingerprint.of(network.parameters());
    }

    /** As in a round, but without one: for measuring what agreeing costs. */
    double transferSeconds() {
        var phases = Phases.begin(time);
        synchronizer.agree(network.gradient(), 1, phases);
        return phases.seconds(Phase.TRANSFER);
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

    /** A loss may be infinite where its gradient is not: no rank shall go on from it. */
    private void spoilUnlessFinite(double loss) {
        if (!Double.isFinite(loss)) {
            network.gradient().setAtIndex(JAVA_FLOAT, network.parameterCount() - 1, Float.NaN);
        }
    }

    /**
     * All ranks see the same agreed gradient, which is no number as soon as the loss of one of them
     * is not, and so stop in the same round, instead of one leaving the others in the middle of an
     * exchange.
     */
    private void requireFinite(MemorySegment agreed, double loss) {
        if (!finiteness.of(agreed)) {
            throw diverged("the loss of this rank is " + loss);
        }
        goodWeights.wereGood(network.parameters(), epochReached, roundReached);
    }

    private AssignmentFailed diverged(String how) {
        return AssignmentFailed.byUser(
                "diverged",
                "the training diverged at %s: %s; %s"
                        .formatted(position(), divergence.kept(rank, goodWeights), how),
                null);
    }

    /** Told when a training has diverged, with the last weights that were good. */
    @FunctionalInterface
    interface Divergence {

        /** What was done with the weights, for a message. */
        String kept(int rank, GoodWeights weights);
    }
}
