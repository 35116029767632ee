package dev.equipoise.agent.training;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.LossCurve;
import dev.equipoise.agent.instrument.StalenessHistogram;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.training.Evaluation.Findings;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.EpochFinished.TestScore;
import dev.equipoise.protocol.EpochFinished.WeightUpdates;
import dev.equipoise.protocol.ReplicaDistance;
import org.jspecify.annotations.Nullable;

/** Accumulates loss and samples of one rank in one epoch. One thread uses it. */
final class Epoch {

    private final int rank;
    private final int number;
    private final Instruments instruments;
    private final LossCurve curve;
    private int samples;
    private double lossSum;

    Epoch(int rank, int number, Instruments instruments, LossCurve curve) {
        this.rank = rank;
        this.number = number;
        this.instruments = instruments;
        this.curve = curve;
    }

    /** Returns the number of the epoch, from 1. */
    int number() {
        return number;
    }

    /** Carries over samples and loss from before an interruption in this epoch. */
    void carry(int count, double sum) {
        samples = count;
        lossSum = sum;
    }

    int samples() {
        return samples;
    }

    double lossSum() {
        return lossSum;
    }

    /** Adds a round with its mean loss. */
    void add(int count, double meanLoss) {
        samples += count;
        lossSum += count * meanLoss;
        curve.round(count, meanLoss, instruments.trainedNanos());
    }

    /**
     * Returns the figures of the epoch.
     *
     * @param distance consensus distance, if it was measured
     * @param difference distance of this replica from the first, if they differ but should not
     */
    EpochFinished finished(
            @Nullable Findings findings,
            @Nullable ConsensusDistance distance,
            String parameters,
            @Nullable ReplicaDistance difference) {
        StalenessHistogram staleness = instruments.staleness();
        return new EpochFinished(
                rank,
                number,
                samples,
                instruments.phases(),
                instruments.wallSeconds(),
                instruments.traffic(),
                new WeightUpdates(
                        instruments.steps(),
                        instruments.meanLearningRate(),
                        staleness.counts(),
                        staleness.max()),
                samples == 0 ? 0 : lossSum / samples,
                findings == null ? null : evaluated(findings.test()),
                findings == null ? null : evaluated(findings.own()),
                distance,
                parameters,
                difference);
    }

    private static @Nullable TestScore evaluated(@Nullable Score score) {
        if (score == null) {
            return null;
        }
        double predictions = (double) score.predictions();
        return new TestScore(score.correct() / predictions, score.lossSum() / predictions);
    }
}
