package dev.equipoise.performance.simulation;

/**
 * What an exchange moves.
 *
 * @param vectorBytes of what is summed or told, as it is
 * @param frameBytes of the same as it travels; less where it is compressed
 * @param answerBytes of what a server answers; the vector as it is, unless answers are compressed
 * @param codecSeconds that a rank takes to encode and decode it
 * @param addSecondsPerByte gamma, to add a byte of the vector to another
 */
public record Traffic(
        long vectorBytes,
        double frameBytes,
        double answerBytes,
        double codecSeconds,
        double addSecondsPerByte) {

    public Traffic {
        if (vectorBytes < 0
                || !(frameBytes >= 0)
                || !(answerBytes >= 0)
                || !(codecSeconds >= 0)
                || !(addSecondsPerByte >= 0)) {
            throw new IllegalArgumentException(
                    "%d bytes as %s and %s, in %s s and %s s a byte, are no exchange"
                            .formatted(
                                    vectorBytes,
                                    frameBytes,
                                    answerBytes,
                                    codecSeconds,
                                    addSecondsPerByte));
        }
    }

    /** As it is, with sums that cost nothing. */
    public static Traffic of(long bytes) {
        return new Traffic(bytes, bytes, bytes, 0, 0);
    }
}
