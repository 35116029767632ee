package dev.equipoise.app.profile;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Measurements that came to nothing so often in a row that they are given up.
 *
 * @param since when the first of these was asked for
 * @param last why the last one did
 * @param isToBlame whether what measured failed itself, and not something beside it
 */
public record Failing(int times, Instant since, String last, boolean isToBlame) {

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
        boolean any = last.stream().anyMatch(it -> it.state() == ProfileState.COMPLETE);
        return !any && last.size() == TIMES
                ? Optional.of(
                        new Failing(
                                TIMES,
                                last.getLast().requestedAt(),
                                last.getFirst().failure(),
                                last.getFirst().state() == ProfileState.FAILED))
                : Optional.empty();
    }
}
