package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** Where the ranks of a run are. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Execution.Real.class, name = "real"),
    @JsonSubTypes.Type(value = Execution.Virtual.class, name = "virtual"),
    @JsonSubTypes.Type(value = Execution.Replay.class, name = "replay")
})
public sealed interface Execution {

    /** Each on a worker of its own. */
    record Real() implements Execution {}

    /**
     * All on one worker, with real gradients and a clock that is not: what computing and exchanging
     * take is told here.
     *
     * @param speeds of one replica after the other, and again from the first where there are more;
     *     in a plan of one rank after the other
     * @param jitter standard deviation of the logarithm of a round's computing time
     * @param link between any two ranks, unless a limit names it
     */
    record Virtual(List<Speed> speeds, double jitter, Link link) implements Execution {

        private static final int MOST_SPEEDS = 10_000;
        private static final double MOST_JITTER = 3;

        public Virtual {
            Rules.size("speeds", speeds, MOST_SPEEDS);
            speeds = List.copyOf(speeds);
            Rules.between("jitter", jitter, 0, MOST_JITTER);
            Rules.present("link", link);
        }

        /** How fast a rank computes. */
        public Speed speed(int rank) {
            return speeds.get(rank % speeds.size());
        }
    }

    /**
     * All on one worker, each deciding as in a run before, of which this one has the weights. Its
     * clock says nothing of what that run took.
     *
     * @param run of which the order of events was recorded
     */
    record Replay(RunId run) implements Execution {

        public Replay {
            Rules.present("run", run);
        }
    }

    /**
     * The time that a mini-batch takes, a line through points.
     *
     * @param points by ascending size; the line begins at nothing and goes on after the last
     */
    record Speed(List<Point> points) {

        private static final int MOST_POINTS = 1_000;

        public Speed {
            Rules.notEmpty("points", points);
            Rules.size("points", points, MOST_POINTS);
            points = List.copyOf(points);
            for (int i = 1; i < points.size(); i++) {
                if (points.get(i).size() <= points.get(i - 1).size()
                        || points.get(i).seconds() < points.get(i - 1).seconds()) {
                    throw new IllegalArgumentException(
                            "points must ascend in size and time, but are " + points);
                }
            }
        }

        /** As much for every sample. */
        public static Speed of(double samplesPerSecond) {
            return new Speed(List.of(new Point(1, 1 / samplesPerSecond)));
        }
    }

    /** A mini-batch of so many samples takes so long. */
    record Point(int size, double seconds) {

        public Point {
            Rules.atLeast("size", size, 1);
            Rules.atLeast("seconds", seconds, 0.0);
        }
    }

    /**
     * A frame of n bytes is there after latency + n / bandwidth.
     *
     * @param megabytesPerSecond in 10^6 bytes, in each direction
     */
    record Link(double latencyMicroseconds, double megabytesPerSecond) {

        private static final double MOST_LATENCY = 1e7;

        public Link {
            Rules.between("latencyMicroseconds", latencyMicroseconds, 0, MOST_LATENCY);
            Rules.atLeast(
                    "megabytesPerSecond", megabytesPerSecond, LinkLimit.LEAST_MEGABYTES_PER_SECOND);
        }
    }
}
