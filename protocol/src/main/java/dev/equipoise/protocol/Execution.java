package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** Execution of a run: on real workers, on a virtual clock, or as a replay. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Execution.Real.class, name = "real"),
    @JsonSubTypes.Type(value = Execution.Virtual.class, name = "virtual"),
    @JsonSubTypes.Type(value = Execution.Replay.class, name = "replay")
})
public sealed interface Execution {

    /** Each rank runs on its own worker. */
    record Real() implements Execution {}

    /**
     * All ranks run on one worker, with real gradients and a virtual clock. Compute and transfer
     * times are modeled here.
     *
     * @param speeds speeds of one replica after the other, repeated from the first if there are
     *     more replicas; in a plan, of one rank after the other
     * @param jitter standard deviation of the logarithm of a round's computing time
     * @param link link between any two ranks without a link limit
     */
    record Virtual(List<Speed> speeds, double jitter, Link link) implements Execution {

        private static final int MAX_SPEEDS = 10_000;
        private static final double MAX_JITTER = 3;

        public Virtual {
            Rules.size("speeds", speeds, MAX_SPEEDS);
            speeds = List.copyOf(speeds);
            Rules.between("jitter", jitter, 0, MAX_JITTER);
            Rules.present("link", link);
        }

        /** Returns the speed of a rank. */
        public Speed speed(int rank) {
            return speeds.get(rank % speeds.size());
        }
    }

    /**
     * All ranks run on one worker and repeat the recorded decisions of an earlier run, so that the
     * weights are equal. The clock does not reflect the times of that run.
     *
     * @param run whose execution order was recorded
     */
    record Replay(RunId run) implements Execution {

        public Replay {
            Rules.present("run", run);
        }
    }

    /**
     * Piecewise linear time of a mini-batch over its size.
     *
     * @param points points by ascending size; the first line begins at the origin, the last slope
     *     continues
     */
    record Speed(List<Point> points) {

        private static final int MAX_POINTS = 1_000;

        public Speed {
            Rules.notEmpty("points", points);
            Rules.size("points", points, MAX_POINTS);
            points = List.copyOf(points);
            for (int i = 1; i < points.size(); i++) {
                if (points.get(i).size() <= points.get(i - 1).size()
                        || points.get(i).seconds() < points.get(i - 1).seconds()) {
                    throw new IllegalArgumentException(
                            "points must ascend in size and not fall in time, but are " + points);
                }
            }
        }

        /** Creates a constant speed. */
        public static Speed of(double samplesPerSecond) {
            return new Speed(List.of(new Point(1, 1 / samplesPerSecond)));
        }
    }

    /**
     * Seconds of a mini-batch of {@code size} samples.
     *
     * @param size samples of the mini-batch
     * @param seconds time of a mini-batch, in seconds
     */
    record Point(int size, double seconds) {

        public Point {
            Rules.atLeast("size", size, 1);
            Rules.atLeast("seconds", seconds, 0.0);
        }
    }

    /**
     * Hockney model of a link: a frame of n bytes takes latency + n / bandwidth.
     *
     * @param latencyMicroseconds latency of a frame, in microseconds
     * @param megabytesPerSecond bandwidth in 10^6 bytes a second, in each direction
     */
    record Link(double latencyMicroseconds, double megabytesPerSecond) {

        private static final double MAX_LATENCY = 1e7;

        public Link {
            Rules.between("latencyMicroseconds", latencyMicroseconds, 0, MAX_LATENCY);
            Rules.atLeast(
                    "megabytesPerSecond", megabytesPerSecond, LinkLimit.MIN_MEGABYTES_PER_SECOND);
        }
    }
}
