package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.network.Loss.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Contributions of all ranks to one all-reduce of gradients, and the result. A small all-reduce
 * first sums the numbers of samples, which differ by rank, and counts the ranks that have any: a
 * rank without samples is no part of an unweighted mean.
 *
 * <p>The rank's own thread prepares and reads, the background thread combines; never both at once.
 */
final class WeightedContributions {

    private static final int SAMPLES = 0;
    private static final int LAST = 1;
    private static final int CONTRIBUTORS = 2;
    static final int FIGURES = 3;

    private final Reduction reduction;
    private final Weighting weighting;
    private final int ranks;
    private final AllReduce figuresAllReduce;
    private final VectorAggregator aggregator;

    /** Instruments of the background thread. */
    private final Instruments instruments;

    private final Runnable whenPrepared;
    private final MemorySegment figures;
    private final MemorySegment own;
    private long ownSamples;
    private MemorySegment combined = MemorySegment.NULL;

    /**
     * @param figuresAllReduce all-reduce of {@link #FIGURES} elements
     * @param instruments of the background, like those of {@code aggregator}
     * @param whenPrepared runs in the rank's own thread when a contribution is prepared
     * @param own memory as long as the gradient
     */
    WeightedContributions(
            Reduction reduction,
            Weighting weighting,
            int ranks,
            AllReduce figuresAllReduce,
            VectorAggregator aggregator,
            Instruments instruments,
            Runnable whenPrepared,
            MemorySegment own,
            Arena memory) {
        this.reduction = reduction;
        this.weighting = weighting;
        this.ranks = ranks;
        this.figuresAllReduce = figuresAllReduce;
        this.aggregator = aggregator;
        this.instruments = instruments;
        this.whenPrepared = whenPrepared;
        this.figures = memory.allocate(JAVA_FLOAT, FIGURES);
        this.own = own;
    }

    /** Returns whether gradients are means over their samples, not sums. */
    boolean isOfMeans() {
        return reduction == Reduction.MEAN;
    }

    /**
     * Copies this rank's next contribution.
     *
     * @param gradients sums over their samples
     * @param last whether this rank has no more gradients
     */
    void prepare(MemorySegment gradients, long samples, boolean last) {
        own.copyFrom(gradients);
        whenPrepared.run();
        ownSamples = samples;
        figures.setAtIndex(JAVA_FLOAT, SAMPLES, (float) samples);
        figures.setAtIndex(JAVA_FLOAT, LAST, last ? 1 : 0);
        figures.setAtIndex(JAVA_FLOAT, CONTRIBUTORS, samples > 0 ? 1 : 0);
    }

    /**
     * Sums the contributions of all ranks, unless none has samples; called by the background
     * thread.
     */
    void combine() {
        instruments.begin();
        figuresAllReduce.sum(figures);
        instruments.end(Phase.WAIT);
        instruments.sent(TrafficKind.CONTROL);
        // Without samples no step follows: a codec would send residuals that nobody applies.
        if (samples() > 0) {
            combined = aggregator.of(own, factor(), isOfMeans() ? (double) ownSamples : 1);
        }
    }

    private double factor() {
        if (ownSamples == 0) {
            return 0;
        }
        return switch (reduction) {
            case SUM -> 1;
            case MEAN ->
                    weighting == Weighting.WEIGHTED
                            ? 1 / (double) figures.getAtIndex(JAVA_FLOAT, SAMPLES)
                            : 1
                                    / ((double) ownSamples
                                            * figures.getAtIndex(JAVA_FLOAT, CONTRIBUTORS));
        };
    }

    /** Adds the times and traffic of the background thread to those of the rank. */
    void addTo(Instruments rankInstruments) {
        rankInstruments.add(instruments);
    }

    /** Returns the number of samples of all contributions. */
    long samples() {
        return Math.round((double) figures.getAtIndex(JAVA_FLOAT, SAMPLES));
    }

    /** Returns whether no rank has more gradients. */
    boolean areComplete() {
        return figures.getAtIndex(JAVA_FLOAT, LAST) == ranks;
    }

    /** Returns the combined gradient; only if there are samples. */
    MemorySegment combined() {
        return combined;
    }
}
