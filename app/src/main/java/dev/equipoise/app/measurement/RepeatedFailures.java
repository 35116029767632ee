package dev.equipoise.app.measurement;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Failures in a row after which runs no longer wait for a measurement.
 *
 * @param times number of failures
 * @param since when the first of the failed measurements was requested
 * @param last the reason of the newest failure
 * @param isToBlame whether the worker itself failed in the newest, and not another participant
 */
public record RepeatedFailures(int times, Instant since, String last, boolean isToBlame) {

    /** Number of failures in a row that counts. */
    static final int LIMIT = 3;

    /**
     * Present if the last {@link #LIMIT} measurements have all failed.
     *
     * @param last up to {@link #LIMIT} measurements, newest first
     */
    static Optional<RepeatedFailures> of(List<? extends SessionPart> last) {
        boolean any = last.stream().anyMatch(it -> it.state() == MeasurementState.COMPLETE);
        return !any && last.size() == LIMIT
                ? Optional.of(
                        new RepeatedFailures(
                                LIMIT,
                                last.getLast().requestedAt(),
                                Objects.requireNonNullElse(last.getFirst().failure(), ""),
                                last.getFirst().state() == MeasurementState.FAILED))
                : Optional.empty();
    }
}
