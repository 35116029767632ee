package dev.equipoise.performance.simulation;

/**
 * Sizes and costs of one exchange.
 *
 * @param vectorBytes of the uncompressed vector
 * @param frameBytes of the vector as it travels; fewer if it is compressed
 * @param answerBytes of a server's answer; those of the uncompressed vector unless answers are
 *     compressed
 * @param codecSeconds of a rank to encode and decode
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
                    ("an exchange of %d bytes, frames of %s and answers of %s bytes, %s s of"
                                    + " coding and %s s a byte is out of range: no negative values")
                            .formatted(
                                    vectorBytes,
                                    frameBytes,
                                    answerBytes,
                                    codecSeconds,
                                    addSecondsPerByte));
        }
    }

    /** Creates the exchange of an uncompressed vector whose additions cost nothing. */
    public static Traffic of(long bytes) {
        return new Traffic(bytes, bytes, bytes, 0, 0);
    }

    Traffic uncompressed() {
        return new Traffic(vectorBytes, vectorBytes, vectorBytes, 0, addSecondsPerByte);
    }
}
