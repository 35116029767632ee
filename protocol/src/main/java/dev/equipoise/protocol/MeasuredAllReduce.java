package dev.equipoise.protocol;

/**
 * Measured time of an all-reduce, until the last rank had the sum.
 *
 * @param algorithm algorithm of the all-reduce
 * @param ranks number of ranks that took part, the first ones of the measurement
 * @param numbers length of the float32 vector
 * @param seconds time of one all-reduce, in seconds
 */
public record MeasuredAllReduce(
        Topology.Algorithm algorithm, int ranks, int numbers, double seconds) {

    private static final double MIN_SECONDS = 1e-9;

    public MeasuredAllReduce {
        Rules.present("algorithm", algorithm);
        Rules.atLeast("ranks", ranks, 2);
        Rules.atLeast("numbers", numbers, 1);
        Rules.atLeast("seconds", seconds, MIN_SECONDS);
    }
}
