package dev.equipoise.protocol;

/**
 * Measured cost of the link between two ranks: {@code alphaSeconds + betaSecondsPerByte * bytes}
 * (Hockney 1994).
 *
 * @param low the lower rank
 * @param high the higher rank
 * @param alphaSeconds latency of a message, in seconds
 * @param betaSecondsPerByte time of each byte, in seconds
 * @param relativeError root mean square of the relative differences between measured and fitted
 *     times
 */
public record MeasuredLink(
        int low, int high, double alphaSeconds, double betaSecondsPerByte, double relativeError) {

    /** Limits of usable links; larger values would overflow in later sums. */
    private static final double MAX_ALPHA_SECONDS = 3_600;

    private static final double MAX_BETA_SECONDS_PER_BYTE = 1;

    public MeasuredLink {
        Rules.atLeast("low", low, 0);
        Rules.atLeast("high", high, low + 1L);
        Rules.between("alphaSeconds", alphaSeconds, 0, MAX_ALPHA_SECONDS);
        Rules.between("betaSecondsPerByte", betaSecondsPerByte, 0, MAX_BETA_SECONDS_PER_BYTE);
        Rules.atLeast("relativeError", relativeError, 0.0);
    }
}
