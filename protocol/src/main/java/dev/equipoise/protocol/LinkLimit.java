package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Link shaping: delays and throttles a link to emulate a slower network.
 *
 * @param between the two ranks; null for all links without a limit of their own
 * @param megabytesPerSecond bandwidth in each direction, in 10^6 bytes; null for no cap
 * @param delayMilliseconds added to every frame
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LinkLimit(
        @Nullable List<Integer> between,
        @Nullable Double megabytesPerSecond,
        double delayMilliseconds) {

    /**
     * Lowest bandwidth. On slower links, other ranks could reach their timeout within one transfer.
     */
    public static final double MIN_MEGABYTES_PER_SECOND = 0.1;

    public static final double MAX_DELAY_MILLISECONDS = 10_000;

    public LinkLimit {
        if (between != null) {
            Rules.size("between", between, 2);
            Rules.atLeast("between", between.size(), 2);
            between = List.copyOf(between);
        }
        if (megabytesPerSecond != null) {
            Rules.atLeast("megabytesPerSecond", megabytesPerSecond, MIN_MEGABYTES_PER_SECOND);
        }
        Rules.between("delayMilliseconds", delayMilliseconds, 0, MAX_DELAY_MILLISECONDS);
    }

    /**
     * Returns the limit of the link between two ranks; a limit of the pair precedes one for all.
     */
    public static Optional<LinkLimit> of(List<LinkLimit> limits, int rank, int peer) {
        return limits.stream()
                .filter(limit -> limit.connects(rank, peer))
                .findFirst()
                .or(() -> limits.stream().filter(limit -> limit.between == null).findFirst());
    }

    /**
     * Renumbers this limit for the surviving ranks.
     *
     * @param survivors surviving ranks, in the order of their new numbers
     * @return empty if one end of the link is lost
     */
    public Optional<LinkLimit> among(List<Integer> survivors) {
        if (between == null) {
            return Optional.of(this);
        }
        List<Integer> renumbered =
                between.stream().map(survivors::indexOf).filter(rank -> rank >= 0).toList();
        return renumbered.size() < 2
                ? Optional.empty()
                : Optional.of(new LinkLimit(renumbered, megabytesPerSecond, delayMilliseconds));
    }

    private boolean connects(int rank, int peer) {
        return between != null && between.contains(rank) && between.contains(peer);
    }
}
