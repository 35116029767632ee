package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.agent.collective.TreeAllReduce;
import dev.equipoise.agent.network.Score;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the mean of all replicas, weighted as the method's own mean, on the test set, of which
 * each rank takes an equal part at full speed, and the consensus distance of the replicas. All
 * ranks report the same, and none begins the next epoch before all have finished. Computes in the
 * learner's gradient, which is unused between rounds.
 */
final class Evaluation {

    private static final int FIGURES = 3;

    private final Learner learner;
    private final Channel channel;
    private final int replicas;
    private final boolean isReplica;
    private final AllReduce sumOfWeights;
    private final AllReduce sumOfFigures;
    private final boolean areEqual;
    private final IntToDoubleFunction weightInMean;
    private final FloatScale scale = FloatScale.fastest();
    private MemorySegment mean;

    /** Sums over the ranks, in float32, which counts exactly up to 16 million. */
    private final MemorySegment figures;

    /**
     * @param areEqual whether the method keeps the replicas equal
     * @param weightInMean weight of this rank in the mean, given the number of replicas
     * @param memory holds the figures; must outlive this
     */
    Evaluation(
            TrainingPlan plan,
            Learner learner,
            Channel channel,
            boolean areEqual,
            IntToDoubleFunction weightInMean,
            Arena memory) {
        int servers = plan.method().topology().servers();
        this.learner = learner;
        this.channel = channel;
        this.replicas = channel.size() - servers;
        this.isReplica = channel.rank() >= servers;
        this.sumOfWeights = new TreeAllReduce(channel, memory);
        this.sumOfFigures = new RecursiveDoubling(channel, FIGURES, memory);
        this.areEqual = areEqual || channel.size() == 1;
        this.weightInMean = weightInMean;
        this.mean = learner.weights();
        this.figures = memory.allocate(JAVA_FLOAT, FIGURES);
    }

    /**
     * Result of an evaluation.
     *
     * @param own score of this replica alone; null if the plan does not ask for it, or on a server
     * @param absolute consensus distance
     * @param relative consensus distance over the norm of the mean
     * @param isAssumed whether the distance was not measured: the method keeps replicas equal, but
     *     nobody has compared them
     */
    record Findings(
            Score test, @Nullable Score own, double absolute, double relative, boolean isAssumed) {

        /** Returns whether all figures are finite; else the training has diverged. */
        boolean areFinite() {
            return Double.isFinite(test.lossSum())
                    && (own == null || Double.isFinite(own.lossSum()))
                    && Double.isFinite(absolute)
                    && Double.isFinite(relative);
        }

        /** Returns the consensus distance, if it is finite; null if it was not measured. */
        @Nullable ConsensusDistance distance() {
            return isAssumed ? null : new ConsensusDistance(absolute, relative);
        }
    }

    /**
     * Evaluates; every rank calls it, outside of all rounds.
     *
     * @param each whether each replica is evaluated by itself, in addition to their mean
     * @param replicas comparison of the replicas; equal ones have the distance 0, which the mean in
     *     float32 would miss
     * @throws InterruptedException at the next batch after an interrupt
     */
    Findings find(boolean each, ReplicaComparison.Result replicas) throws InterruptedException {
        boolean isMeanKnown = areEqual && !replicas.differ();
        mean = isMeanKnown ? learner.weights() : learner.gradient();
        double measured = isMeanKnown ? 0 : distanceToMean();
        double absolute = replicas.areEqual() ? 0 : measured;
        double relative = absolute == 0 ? 0 : relativeToMean(absolute);
        Score test = scoreOfAll();
        int samples = learner.testSamples();
        return new Findings(
                test,
                each && isReplica ? learner.score(learner.weights(), 0, samples) : null,
                absolute,
                relative,
                isMeanKnown && replicas.areUnknown());
    }

    /**
     * Measures the consensus distance alone; every rank calls it, outside of all rounds.
     *
     * @return empty if it is not finite, which the next loss reports as divergence
     */
    Optional<ConsensusDistance> distance() {
        mean = learner.gradient();
        double absolute = distanceToMean();
        double relative = absolute == 0 ? 0 : relativeToMean(absolute);
        return Double.isFinite(absolute) && Double.isFinite(relative)
                ? Optional.of(new ConsensusDistance(absolute, relative))
                : Optional.empty();
    }

    /**
     * Returns the mean of all replicas that the last evaluation used; the next round overwrites it.
     */
    MemorySegment mean() {
        return mean;
    }

    /** Computes the mean and returns the distance of the replicas from it. */
    private double distanceToMean() {
        scale.scale(learner.weights(), (float) weightInMean.applyAsDouble(replicas), mean);
        sumOfWeights.sum(mean);
        sumOverRanks(isReplica ? squaredDistance() : 0, 0, 0);
        return Math.sqrt(figure(0) / replicas);
    }

    private double relativeToMean(double distance) {
        double length = Math.sqrt(squaredLength());
        return length == 0 ? 0 : distance / length;
    }

    private double squaredDistance() {
        MemorySegment weights = learner.weights();
        double squares = 0;
        for (long i = 0; i < mean.byteSize(); i += Float.BYTES) {
            double difference = weights.get(JAVA_FLOAT, i) - mean.get(JAVA_FLOAT, i);
            squares += difference * difference;
        }
        return squares;
    }

    private double squaredLength() {
        double squares = 0;
        for (long i = 0; i < mean.byteSize(); i += Float.BYTES) {
            double value = mean.get(JAVA_FLOAT, i);
            squares += value * value;
        }
        return squares;
    }

    private Score scoreOfAll() throws InterruptedException {
        Score own = learner.score(mean, boundary(channel.rank()), boundary(channel.rank() + 1));
        sumOverRanks((double) own.predictions(), (double) own.correct(), own.lossSum());
        return new Score(Math.round(figure(0)), Math.round(figure(1)), figure(2));
    }

    private void sumOverRanks(double first, double second, double third) {
        figures.setAtIndex(JAVA_FLOAT, 0, (float) first);
        figures.setAtIndex(JAVA_FLOAT, 1, (float) second);
        figures.setAtIndex(JAVA_FLOAT, 2, (float) third);
        sumOfFigures.sum(figures);
    }

    private double figure(int index) {
        return figures.getAtIndex(JAVA_FLOAT, index);
    }

    private int boundary(int rank) {
        return Math.toIntExact((long) rank * learner.testSamples() / channel.size());
    }
}
