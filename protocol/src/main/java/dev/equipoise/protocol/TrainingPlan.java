package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Loss;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Training plan, on which all ranks of a run must agree.
 *
 * @param dataset the data set, and how many of its training samples are used
 * @param network architecture of every replica
 * @param loss loss that is minimized
 * @param optimizer optimizer of each replica
 * @param epochs number of epochs
 * @param observation evaluations and recordings
 * @param seed seed of the initial parameters and of the sample order
 * @param division shares of the ranks
 * @param method synchronization method
 * @param channel transport between the ranks
 * @param execution real or virtual clock
 * @param limits link shaping
 * @param links measured costs of the links between all ranks, if the method needs them and the
 *     links are real; else empty
 */
public record TrainingPlan(
        DatasetSpec dataset,
        Architecture network,
        Loss loss,
        OptimizerSpec optimizer,
        int epochs,
        Observation observation,
        long seed,
        EpochDivision division,
        Method method,
        ChannelKind channel,
        Execution execution,
        List<LinkLimit> limits,
        List<MeasuredLink> links) {

    public TrainingPlan {
        Rules.present("dataset", dataset);
        Rules.present("network", network);
        Rules.present("loss", loss);
        Rules.present("optimizer", optimizer);
        Rules.atLeast("epochs", epochs, 1);
        Rules.present("observation", observation);
        Rules.present("division", division);
        Rules.present("method", method);
        Rules.present("channel", channel);
        Rules.present("execution", execution);
        Rules.present("limits", limits);
        Rules.present("links", links);
        limits = List.copyOf(limits);
        links = List.copyOf(links);
        Rules.atLeast("ranks", division.ranks(), method.topology().servers() + 1L);
        Grouping grouping = division.grouping();
        if (grouping != null && network.sigmoidUnits().orElse(0) != grouping.allUnits()) {
            throw new IllegalArgumentException(
                    "the units must be those of a perceptron's hidden layer, but are %s of %s"
                            .formatted(grouping.units(), network.name()));
        }
        long sum = division.shares().stream().mapToLong(Integer::longValue).sum();
        if (sum != dataset.limit()) {
            throw new IllegalArgumentException(
                    "the shares must sum to %d, but are %s"
                            .formatted(dataset.limit(), division.shares()));
        }
    }

    /**
     * Dynamic load balancing between epochs.
     *
     * @param hysteresis relative gain of the longest computing time below which shares stay as they
     *     are
     * @param rooms memory estimate of each rank, in samples of a round
     */
    public record Rebalancing(double hysteresis, List<Integer> rooms) {

        public Rebalancing {
            Rules.fraction("hysteresis", hysteresis);
            rooms = List.copyOf(rooms);
            rooms.forEach(room -> Rules.atLeast("room", room, 0));
        }
    }

    /**
     * Division of an epoch among the ranks.
     *
     * @param shares samples of each rank; 0 for servers; the share of a group belongs to its first
     *     rank, the other members have 0
     * @param rounds rounds of an epoch, the same on every rank
     * @param counts batch counts: mini-batches that each rank takes in a round, all on the same
     *     weights
     * @param slowDowns slowdown of each rank, at least 1
     * @param slowDownFrom first epoch with the slowdowns
     * @param rebalancing dynamic load balancing; null for fixed shares
     * @param grouping group formation of a hybrid run; else null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EpochDivision(
            List<Integer> shares,
            int rounds,
            List<Integer> counts,
            List<Double> slowDowns,
            int slowDownFrom,
            @Nullable Rebalancing rebalancing,
            @Nullable Grouping grouping) {

        public EpochDivision {
            Rules.notEmpty("shares", shares);
            Rules.atLeast("rounds", rounds, 1);
            shares = List.copyOf(shares);
            counts = List.copyOf(counts);
            slowDowns = List.copyOf(slowDowns);
            shares.forEach(share -> Rules.atLeast("share", share, 0));
            counts.forEach(count -> Rules.atLeast("count", count, 1));
            slowDowns.forEach(factor -> Rules.atLeast("slow-down", factor, 1.0));
            Rules.atLeast("slowDownFrom", slowDownFrom, 1);
            if (rebalancing != null && rebalancing.rooms().size() != shares.size()) {
                throw new IllegalArgumentException(
                        "the numbers of rooms and shares must be equal, but they are %s and %s"
                                .formatted(rebalancing.rooms(), shares));
            }
            if (counts.size() != shares.size() || slowDowns.size() != shares.size()) {
                throw new IllegalArgumentException(
                        "the numbers of counts, slowDowns and shares must be equal, but they are"
                                + " %s, %s and %s".formatted(counts, slowDowns, shares));
            }
            if (grouping != null) {
                requireFirst(shares, grouping);
            }
        }

        private static void requireFirst(List<Integer> shares, Grouping grouping) {
            for (int rank = 0; rank < shares.size(); rank++) {
                if (grouping.ranks() != shares.size()
                        || (shares.get(rank) > 0 && grouping.positionOf(rank) > 0)) {
                    throw new IllegalArgumentException(
                            "only the first rank of a group may have a share, but %s have %s"
                                    .formatted(grouping.groups(), shares));
                }
            }
        }

        /** Creates a division without groups. */
        public EpochDivision(
                List<Integer> shares,
                int rounds,
                List<Integer> counts,
                List<Double> slowDowns,
                int slowDownFrom,
                @Nullable Rebalancing rebalancing) {
            this(shares, rounds, counts, slowDowns, slowDownFrom, rebalancing, null);
        }

        /** Creates a division with fixed shares. */
        public EpochDivision(
                List<Integer> shares, int rounds, List<Integer> counts, List<Double> slowDowns) {
            this(shares, rounds, counts, slowDowns, 1, null);
        }

        /**
         * Returns this division with groups.
         *
         * @param formed group formation whose first ranks have the shares
         */
        public EpochDivision in(Grouping formed) {
            return new EpochDivision(
                    shares, rounds, counts, slowDowns, slowDownFrom, rebalancing, formed);
        }

        /** Creates a division with one mini-batch per round and no slowdowns. */
        public static EpochDivision of(List<Integer> shares, int rounds) {
            return new EpochDivision(
                    shares,
                    rounds,
                    Collections.nCopies(shares.size(), 1),
                    Collections.nCopies(shares.size(), 1.0));
        }

        /** Returns the slowdown of a rank in an epoch. */
        public double slowDown(int rank, int epoch) {
            return epoch < slowDownFrom ? 1 : slowDowns.get(rank);
        }

        @JsonIgnore
        public int ranks() {
            return shares.size();
        }
    }

    /** Returns the number of used training samples, counted from the first. */
    @JsonIgnore
    public int trainingSamples() {
        return dataset.limit();
    }
}
