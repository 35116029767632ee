package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * That a run which waits has had workers before.
 *
 * @param by the run for which it has made room; null where it has not, or that is not known any
 *     more
 * @param setback how its workers failed it; null where it made room
 * @param epoch after which it goes on; 0 from its beginning
 */
public record Interruption(
        @Nullable RunId by, @Nullable RunFailure setback, int epoch, Instant at) {

    /** Added to why it waits. */
    public Waiting explaining(Waiting reason) {
        return reason.and(message());
    }

    String message() {
        return setback == null
                ? "it made room%s after epoch %d, and goes on from there"
                        .formatted(by == null ? "" : " for run " + by, epoch)
                : "it was set back, as %s, and %s"
                        .formatted(
                                setback.message(),
                                epoch == 0
                                        ? "begins anew"
                                        : "goes on after epoch %d".formatted(epoch));
    }
}
