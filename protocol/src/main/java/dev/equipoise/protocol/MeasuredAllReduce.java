package dev.equipoise.protocol;

/**
 * What a sum over some ranks took when it was measured, until the last of them had it.
 *
 * @param ranks that summed, the first ones of those that measured
 * @param numbers float32 of the vector
 */
public record MeasuredAllReduce(
        Topology.Algorithm algorithm, int ranks, int numbers, double seconds) {

    private static final double LEAST_SECONDS = 1e-9;

    public MeasuredAllReduce {
        Rules.present("algorithm", algorithm);
        Rules.atLeast("ranks", ranks, 2);
        Rules.atLeast("numbers", numbers, 1);
        Rules.atLeast("seconds", seconds, LEAST_SECONDS);
    }
}
