package dev.equipoise.app.monitor;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.app.run.RunTimeline.Timeline;
import dev.equipoise.app.telemetry.EpochStore.PhaseSums;
import dev.equipoise.app.telemetry.RunTimes.OfRank;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Waterfall of a run: the time from its submission to its end in segments, each of which begins
 * where the one before it ends. The segments sum to the time of the run.
 *
 * @param from time of submission
 * @param to end of the run; the present for a run that has not ended
 * @param seconds time from {@code from} to {@code to}
 * @param open whether the run has not ended
 * @param segments segments in the order of their time, without those of length 0
 */
record Waterfall(Instant from, Instant to, double seconds, boolean open, List<Segment> segments) {

    Waterfall {
        segments = List.copyOf(segments);
    }

    /** Activity of a run in a segment. */
    enum Kind {
        /** Waits for workers. */
        @JsonProperty("queued")
        QUEUED,
        /** Has workers, and no agent has taken its assignment. */
        @JsonProperty("placed")
        PLACED,
        /** Prepares on the agents, which reported no run phases. */
        @JsonProperty("preparation")
        PREPARATION,
        /** Connects to all peers. */
        @JsonProperty("rendezvous")
        RENDEZVOUS,
        /** Fetches, checks and loads the dataset. */
        @JsonProperty("data")
        DATA,
        /** Builds the network, and runs rounds without effect. */
        @JsonProperty("warm-up")
        WARM_UP,
        /** Loads the state from which the training resumes. */
        @JsonProperty("restore")
        RESTORE,
        /** Times the all-reduce. */
        @JsonProperty("calibration")
        CALIBRATION,
        /** Trains epochs; without reported run phases, everything that a running run does. */
        @JsonProperty("training")
        TRAINING,
        /** Evaluates on the test set. */
        @JsonProperty("evaluation")
        EVALUATION,
        /** Copies the rank state, and waits for uploads and for the copies of other ranks. */
        @JsonProperty("checkpoint")
        CHECKPOINT,
        /** Votes, timestamps and reports between the other phases, and waits for lost ranks. */
        @JsonProperty("coordination")
        COORDINATION,
        /**
         * Time on the agents that no report covers: the first and the last messages, and in an open
         * run the time since the last report.
         */
        @JsonProperty("report")
        REPORT,
        /** Time after the first 2,000 transitions of the run. */
        @JsonProperty("unrecorded")
        UNRECORDED
    }

    /** Origin of the length of a segment. */
    enum Source {
        /** State transitions of the run, on the clock of the service. */
        @JsonProperty("service")
        SERVICE,
        /** Run phases of the rank that took longest, on its clock. */
        @JsonProperty("rank")
        RANK,
        /**
         * Run phases of that rank, shortened in proportion: the rank measured more time than the
         * service, whose clock was set back.
         */
        @JsonProperty("scaled-rank")
        SCALED_RANK
    }

    /**
     * Segment of a waterfall. Segments of run phases are sums over a generation: training,
     * evaluation and checkpoints alternate, and their segments follow one another.
     *
     * @param kind activity of the run
     * @param source origin of the length
     * @param generation generation of the run, from 1; null if it has no workers
     * @param startSeconds time from the submission to the beginning of the segment
     * @param seconds length
     * @param epochs parts of a training segment; null if the rank reported no epoch
     */
    @Schema(name = "WaterfallSegment")
    record Segment(
            Kind kind,
            Source source,
            @Nullable Integer generation,
            double startSeconds,
            double seconds,
            @Nullable EpochParts epochs) {}

    /**
     * Parts of a training segment, which sum to its length.
     *
     * @param computeSeconds computing gradients
     * @param encodeSeconds encoding and decoding
     * @param transferSeconds exchanging after all participants are ready
     * @param waitSeconds waiting for the last participant
     * @param applySeconds applying updates
     * @param otherSeconds epochs under way, and those that were trained again
     */
    @Schema(name = "EpochParts")
    record EpochParts(
            double computeSeconds,
            double encodeSeconds,
            double transferSeconds,
            double waitSeconds,
            double applySeconds,
            double otherSeconds) {

        /**
         * Divides a segment.
         *
         * @param training training time that the rank reported, in seconds
         * @param length length of the segment, in seconds
         */
        static EpochParts of(PhaseSums sums, double training, double length) {
            double known =
                    sums.compute()
                            + sums.encode()
                            + sums.transfer()
                            + sums.waiting()
                            + sums.apply();
            double scale = length / Math.max(known, training);
            return new EpochParts(
                    sums.compute() * scale,
                    sums.encode() * scale,
                    sums.transfer() * scale,
                    sums.waiting() * scale,
                    sums.apply() * scale,
                    Math.max(0, length - known * scale));
        }
    }

    /**
     * Divides the time of a run.
     *
     * @param longest times of the ranks that took longest, one for each generation that reported
     *     run phases
     * @param sums phase times of the epochs, by generation and rank
     */
    static Waterfall of(
            Timeline timeline, List<OfRank> longest, List<PhaseSums> sums, Instant now) {
        Instant from = timeline.queuedAt();
        Instant end = Objects.requireNonNullElse(timeline.endedAt(), now);
        Instant to = end.isBefore(from) ? from : end;
        long length = Duration.between(from, to).toNanos();
        List<Segment> segments =
                new WaterfallSegments(from, length, longest, sums).divide(timeline.events());
        return new Waterfall(
                from, to, WaterfallSegments.seconds(length), timeline.endedAt() == null, segments);
    }
}
