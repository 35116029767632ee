package dev.equipoise.app.profile;

import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/**
 * What messages between two workers take, in either direction: {@code alphaSeconds +
 * betaSecondsPerByte * bytes}.
 *
 * @param between the two
 * @param relativeError root mean square of what the measured times differ from this, each relative
 *     to this
 */
@Schema(name = "LinkCost")
record LinkView(
        List<WorkerId> between,
        double alphaSeconds,
        double betaSecondsPerByte,
        double relativeError,
        Instant measuredAt) {

    /** As a link between the ranks that its workers have. */
    MeasuredLink ofRanks(int one, int other) {
        return new MeasuredLink(
                Math.min(one, other),
                Math.max(one, other),
                alphaSeconds,
                betaSecondsPerByte,
                relativeError);
    }
}
