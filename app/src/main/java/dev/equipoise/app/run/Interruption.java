package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * That a run which waits has had workers before.
 *
 * @param by the run for which it has made room; null where it is not known any more
 * @param epoch after which it goes on
 */
public record Interruption(@Nullable RunId by, int epoch, Instant at) {

    /** Added to why it waits. */
    public Waiting explaining(Waiting reason) {
        return reason.and(message());
    }

    String message() {
        return "it made room%s after epoch %d, and goes on from there"
                .formatted(by == null ? "" : " for run " + by, epoch);
    }
}
