package dev.equipoise.protocol;

/**
 * What messages between two ranks take: {@code alphaSeconds + betaSecondsPerByte * bytes} (Hockney
 * 1994).
 *
 * @param low the lower rank
 * @param high the other one
 * @param relativeError root mean square of what the measured times differ from this, each relative
 *     to this
 */
public record MeasuredLink(
        int low, int high, double alphaSeconds, double betaSecondsPerByte, double relativeError) {

    /** No link of use is slower; greater figures would end in sums without end. */
    private static final double MOST_ALPHA_SECONDS = 3_600;

    private static final double MOST_BETA_SECONDS_PER_BYTE = 1;

    public MeasuredLink {
        Rules.atLeast("low", low, 0);
        Rules.atLeast("high", high, low + 1L);
        Rules.between("alphaSeconds", alphaSeconds, 0, MOST_ALPHA_SECONDS);
        Rules.between("betaSecondsPerByte", betaSecondsPerByte, 0, MOST_BETA_SECONDS_PER_BYTE);
        Rules.atLeast("relativeError", relativeError, 0.0);
    }
}
