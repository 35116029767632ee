package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.codec.Words;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.network.Loss.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What all ranks bring to one collective, and what comes of it. How many samples stand behind each
 * contribution nobody knows before: a small all-reduce tells it first.
 *
 * <p>The rank's own thread prepares and reads, the background combines; never both at once.
 */
final class Contributions {

    private static final int SAMPLES = 0;
    private static final int LAST = 1;
    static final int FIGURES = 2;

    private final Reduction reduction;
    private final Weighting weighting;
    private final int ranks;
    private final AllReduce figuresOfAll;
    private final Summation summation;

    /** Those of the background thread. */
    private final Instruments instruments;

    private final Words words;
    private final MemorySegment figures;
    private final MemorySegment own;
    private long ownSamples;
    private MemorySegment combined = MemorySegment.NULL;

    /**
     * @param figuresOfAll takes {@link #FIGURES} elements
     * @param instruments of the background, with which {@code summation} measures as well
     * @param words told of with what is combined
     * @param own what it computes in, as long as the gradient
     */
    Contributions(
            Reduction reduction,
            Weighting weighting,
            int ranks,
            AllReduce figuresOfAll,
            Summation summation,
            Instruments instruments,
            Words words,
            MemorySegment own,
            Arena memory) {
        this.reduction = reduction;
        this.weighting = weighting;
        this.ranks = ranks;
        this.figuresOfAll = figuresOfAll;
        this.summation = summation;
        this.instruments = instruments;
        this.words = words;
        this.figures = memory.allocate(JAVA_FLOAT, FIGURES);
        this.own = own;
    }

    /** Whether gradients are means over their samples, not sums. */
    boolean isOfMeans() {
        return reduction == Reduction.MEAN;
    }

    /**
     * Takes a copy of what this rank brings next.
     *
     * @param gradients summed over their samples
     * @param last whether it brings nothing more
     */
    void prepare(MemorySegment gradients, long samples, boolean last) {
        own.copyFrom(gradients);
        words.turnOver();
        ownSamples = samples;
        figures.setAtIndex(JAVA_FLOAT, SAMPLES, (float) samples);
        figures.setAtIndex(JAVA_FLOAT, LAST, last ? 1 : 0);
    }

    /** In the background. */
    void combine() {
        instruments.begin();
        figuresOfAll.sum(figures);
        instruments.end(Phase.WAIT);
        instruments.sent(Kind.CONTROL);
        combined = summation.of(own, factor());
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
                            : 1.0 / ((double) ownSamples * ranks);
        };
    }

    /** Adds what went on in the background to the figures of the rank. */
    void tell(Instruments ofRank) {
        ofRank.add(instruments);
    }

    /** Whether there was a sample behind any contribution. */
    boolean areAny() {
        return figures.getAtIndex(JAVA_FLOAT, SAMPLES) > 0;
    }

    /** Whether no rank brings anything more. */
    boolean areComplete() {
        return figures.getAtIndex(JAVA_FLOAT, LAST) == ranks;
    }

    /** One gradient for all. */
    MemorySegment combined() {
        return combined;
    }
}
