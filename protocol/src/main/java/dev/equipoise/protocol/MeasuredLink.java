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

    public MeasuredLink {
        Rules.atLeast("low", low, 0);
        Rules.atLeast("high", high, low + 1L);
        Rules.atLeast("alphaSeconds", alphaSeconds, 0.0);
        Rules.atLeast("betaSecondsPerByte", betaSecondsPerByte, 0.0);
        Rules.atLeast("relativeError", relativeError, 0.0);
    }
}
