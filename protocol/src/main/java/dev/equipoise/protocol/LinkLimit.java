package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a link is held back to, so that an experiment can have the network that it asks about.
 *
 * @param between the two ranks; null for all links that no other limit names
 * @param megabytesPerSecond in each direction, in 10^6 bytes; null for no cap
 * @param delayMilliseconds added to every frame
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LinkLimit(
        @Nullable List<Integer> between,
        @Nullable Double megabytesPerSecond,
        double delayMilliseconds) {

    /** On slower links the others may wait for half of a vector for longer than they endure. */
    public static final double LEAST_MEGABYTES_PER_SECOND = 0.1;

    public static final double MOST_DELAY_MILLISECONDS = 10_000;

    public LinkLimit {
        if (between != null) {
            Rules.size("between", between, 2);
            Rules.atLeast("between", between.size(), 2);
            between = List.copyOf(between);
        }
        if (megabytesPerSecond != null) {
            Rules.atLeast("megabytesPerSecond", megabytesPerSecond, LEAST_MEGABYTES_PER_SECOND);
        }
        Rules.between("delayMilliseconds", delayMilliseconds, 0, MOST_DELAY_MILLISECONDS);
    }

    /**
     * What the link between two ranks is held back to: one that names it goes before one for all.
     */
    public static Optional<LinkLimit> of(List<LinkLimit> limits, int rank, int peer) {
        return limits.stream()
                .filter(limit -> limit.names(rank, peer))
                .findFirst()
                .or(() -> limits.stream().filter(limit -> limit.between == null).findFirst());
    }

    /**
     * The same where some ranks alone are left, by their new numbers.
     *
     * @param left the ranks that there are, in the order of their new numbers
     * @return empty where it is of a link that is no more
     */
    public Optional<LinkLimit> among(List<Integer> left) {
        if (between == null) {
            return Optional.of(this);
        }
        List<Integer> renumbered =
                between.stream().map(left::indexOf).filter(rank -> rank >= 0).toList();
        return renumbered.size() < 2
                ? Optional.empty()
                : Optional.of(new LinkLimit(renumbered, megabytesPerSecond, delayMilliseconds));
    }

    private boolean names(int rank, int peer) {
        return between != null && between.contains(rank) && between.contains(peer);
    }
}
