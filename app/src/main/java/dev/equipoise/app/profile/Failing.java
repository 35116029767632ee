package dev.equipoise.app.profile;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Measurements that failed so often in a row that they are given up.
 *
 * @param since when the first of these was asked for
 * @param last why the last one failed
 */
public record Failing(int times, Instant since, String last) {

    /** How often in a row workers may fail before they are given up. */
    static final int TIMES = 3;

    /** How a measurement ended. */
    record Past(ProfileState state, Instant requestedAt, String failure) {}

    /**
     * Present where so many have failed.
     *
     * @param last up to {@link #TIMES}, newest first
     */
    static Optional<Failing> of(List<Past> last) {
        boolean all = last.stream().allMatch(it -> it.state() == ProfileState.FAILED);
        return all && last.size() == TIMES
                ? Optional.of(
                        new Failing(TIMES, last.getLast().requestedAt(), last.getFirst().failure()))
                : Optional.empty();
    }
}
