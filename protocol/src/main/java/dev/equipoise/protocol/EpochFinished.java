package dev.equipoise.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rank has completed an epoch.
 *
 * @param rank rank, from 0
 * @param epoch epoch, from 1
 * @param samples samples on which this rank trained
 * @param phases time by phase
 * @param wallSeconds time from the start of the first round to the end of the last one, without
 *     evaluation, in seconds
 * @param traffic bytes and frames that the rank sent, by kind
 * @param updates updates of the rank's weights
 * @param meanLoss mean loss over this rank's samples, before each update; finite, since a run whose
 *     loss is not finite fails as diverged
 * @param test evaluation of the mean of all replicas on the test set; null without evaluation
 * @param own evaluation of this replica alone; null without evaluation
 * @param distance consensus distance of the replicas; null without evaluation, unless replicas that
 *     the method keeps equal differ, and if nobody has compared such replicas
 * @param parameters checksum of the parameters after the epoch
 * @param difference distance from the replica of the first rank with weights; null if both are
 *     equal, the method does not keep replicas equal, or nobody has compared them
 */
public record EpochFinished(
        int rank,
        int epoch,
        int samples,
        Phases phases,
        double wallSeconds,
        Traffic traffic,
        WeightUpdates updates,
        double meanLoss,
        @Nullable TestScore test,
        @Nullable TestScore own,
        @Nullable ConsensusDistance distance,
        String parameters,
        @Nullable ReplicaDistance difference)
        implements RunReport {

    /** Creates the figures of a replica that equals the first, or need not. */
    public EpochFinished(
            int rank,
            int epoch,
            int samples,
            Phases phases,
            double wallSeconds,
            Traffic traffic,
            WeightUpdates updates,
            double meanLoss,
            @Nullable TestScore test,
            @Nullable TestScore own,
            @Nullable ConsensusDistance distance,
            String parameters) {
        this(
                rank,
                epoch,
                samples,
                phases,
                wallSeconds,
                traffic,
                updates,
                meanLoss,
                test,
                own,
                distance,
                parameters,
                null);
    }

    public EpochFinished {
        Rules.atLeast("rank", rank, 0);
        Rules.atLeast("epoch", epoch, 1);
        Rules.atLeast("samples", samples, 0);
        Rules.present("phases", phases);
        Rules.atLeast("wallSeconds", wallSeconds, 0.0);
        Rules.present("traffic", traffic);
        Rules.present("updates", updates);
        Rules.finite("meanLoss", meanLoss);
        Rules.text("parameters", parameters, RunReport.MAX_CHECKSUM);
    }

    /**
     * Returns the figures with another consensus distance.
     *
     * @param distance the distance; null if nobody has measured it
     */
    public EpochFinished withDistance(@Nullable ConsensusDistance distance) {
        return new EpochFinished(
                rank,
                epoch,
                samples,
                phases,
                wallSeconds,
                traffic,
                updates,
                meanLoss,
                test,
                own,
                distance,
                parameters,
                difference);
    }

    @Override
    public int bulk() {
        return updates.staleness().size();
    }

    /**
     * Phase times of an epoch, in seconds of the rank's clock. All but {@code hiddenSeconds} sum to
     * the wall time.
     *
     * @param computeSeconds reading the mini-batches, forward and backward pass, multiplied by the
     *     slowdown
     * @param encodeSeconds encoding and decoding
     * @param transferSeconds exchanging after all participants were ready
     * @param waitSeconds idle until the last participant was ready
     * @param applySeconds applying updates and mixing weights
     * @param hiddenSeconds overlapped communication time, with the time in which the rank blocked
     *     for it
     */
    public record Phases(
            double computeSeconds,
            double encodeSeconds,
            double transferSeconds,
            double waitSeconds,
            double applySeconds,
            double hiddenSeconds) {

        public Phases {
            Rules.atLeast("computeSeconds", computeSeconds, 0.0);
            Rules.atLeast("encodeSeconds", encodeSeconds, 0.0);
            Rules.atLeast("transferSeconds", transferSeconds, 0.0);
            Rules.atLeast("waitSeconds", waitSeconds, 0.0);
            Rules.atLeast("applySeconds", applySeconds, 0.0);
            Rules.atLeast("hiddenSeconds", hiddenSeconds, 0.0);
        }
    }

    /**
     * Traffic that a rank sent in an epoch, frames with their headers.
     *
     * @param gradientBytes bytes of gradients, of updates derived from them, and of partial output
     *     sums in hybrid runs
     * @param weightBytes bytes of weights
     * @param controlBytes bytes of coordination traffic
     * @param frames frames of all kinds
     */
    public record Traffic(long gradientBytes, long weightBytes, long controlBytes, long frames) {

        public Traffic {
            Rules.atLeast("gradientBytes", gradientBytes, 0);
            Rules.atLeast("weightBytes", weightBytes, 0);
            Rules.atLeast("controlBytes", controlBytes, 0);
            Rules.atLeast("frames", frames, 0);
        }

        /** Returns the bytes of all kinds. */
        public long bytes() {
            return gradientBytes + weightBytes + controlBytes;
        }
    }

    /**
     * Updates of a rank's weights in an epoch.
     *
     * @param steps number of steps
     * @param learningRate mean effective learning rate of all steps; 0 without steps
     * @param staleness number of applied gradients by staleness, from 0; the last entry includes
     *     all higher values; empty for methods without staleness
     * @param greatestStaleness highest staleness of the epoch
     */
    public record WeightUpdates(
            long steps, double learningRate, List<Long> staleness, long greatestStaleness) {

        /** Length limit of the histogram of staleness. */
        public static final int MAX_BINS = 1024;

        public WeightUpdates {
            Rules.atLeast("steps", steps, 0);
            Rules.atLeast("learningRate", learningRate, 0.0);
            Rules.size("staleness", staleness, MAX_BINS);
            staleness = List.copyOf(staleness);
            staleness.forEach(count -> Rules.atLeast("staleness", count, 0));
            Rules.atLeast("greatestStaleness", greatestStaleness, 0);
        }
    }

    /**
     * Consensus distance: how far replicas are from their mean (docs/algorithms.md, section 10).
     *
     * @param absolute root mean square distance of the replicas from their mean
     * @param relative the absolute distance over the norm of the mean; 0 if that norm is 0
     */
    public record ConsensusDistance(double absolute, double relative) {

        public ConsensusDistance {
            Rules.atLeast("absolute", absolute, 0.0);
            Rules.atLeast("relative", relative, 0.0);
        }
    }

    /**
     * Evaluation of a model on the whole test set.
     *
     * @param accuracy fraction of the predictions that equal their label, from 0 to 1
     * @param loss mean over the predictions; its exponential is the perplexity
     */
    public record TestScore(double accuracy, double loss) {

        public TestScore {
            Rules.atLeast("accuracy", accuracy, 0.0);
            Rules.atLeast("loss", loss, 0.0);
        }
    }
}
