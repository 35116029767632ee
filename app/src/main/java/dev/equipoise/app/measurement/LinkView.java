package dev.equipoise.app.measurement;

import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/**
 * The costs of a link in the Hockney model: a message of {@code bytes} takes {@code alphaSeconds +
 * betaSecondsPerByte * bytes} seconds, in either direction.
 *
 * @param between the two workers
 * @param alphaSeconds latency of a message, in seconds
 * @param betaSecondsPerByte time of each byte, in seconds
 * @param relativeError root mean square of the deviations of the measured times from the model,
 *     each relative to the model
 * @param measuredAt time of the measurement
 */
@Schema(name = "LinkCost")
record LinkView(
        List<WorkerId> between,
        double alphaSeconds,
        double betaSecondsPerByte,
        double relativeError,
        Instant measuredAt) {

    /** The link between the ranks of its workers. */
    MeasuredLink ofRanks(int one, int other) {
        return new MeasuredLink(
                Math.min(one, other),
                Math.max(one, other),
                alphaSeconds,
                betaSecondsPerByte,
                relativeError);
    }
}
