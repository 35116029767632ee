package dev.equipoise.app.problem;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits times of requests to those that both Java and PostgreSQL can store: from the year 1 to the
 * year 9999.
 */
public final class StorableTimes {

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private StorableTimes() {}

    /** Tells whether the database can store the time. */
    public static boolean isStorable(Instant time) {
        return !time.isBefore(EARLIEST) && !time.isAfter(LATEST);
    }

    /**
     * Returns the time.
     *
     * @param pointer the place of the time, such as {@code /expiresAt} or {@code ?since}
     * @throws Problem {@code invalid-request} if the database cannot store it
     */
    public static @Nullable Instant require(String pointer, @Nullable Instant time) {
        if (time != null && !isStorable(time)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    pointer,
                                    "must be between %s and %s".formatted(EARLIEST, LATEST),
                                    time)));
        }
        return time;
    }
}
