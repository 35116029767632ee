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
 * All that the ranks of a run must agree on.
 *
 * @param dataset the data, and how many of its training samples are used
 * @param seed of the initial parameters and of the order of the data
 * @param division who takes how much of an epoch
 * @param limits what the links are held back to
 * @param links what the links between all ranks cost, where the method follows them and they are
 *     real; else none
 */
public record TrainingPlan(
        DatasetSpec dataset,
        Architecture network,
        Loss loss,
        OptimizerSpec optimizer,
        int epochs,
        Observation observation,
        long seed,
        Division division,
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
     * How shares may change between epochs.
     *
     * @param hysteresis the part by which the longest computing must become shorter for that
     * @param rooms samples of a round for which each rank has memory
     */
    public record Rebalancing(double hysteresis, List<Integer> rooms) {

        public Rebalancing {
            Rules.share("hysteresis", hysteresis);
            rooms = List.copyOf(rooms);
            rooms.forEach(room -> Rules.atLeast("room", room, 0));
        }
    }

    /**
     * Who takes how much of an epoch, by rank.
     *
     * @param shares samples of each rank; of those that serve, none; those of a group stand with
     *     its first rank, and its others have none of their own
     * @param rounds of an epoch, the same on every rank
     * @param counts mini-batches into which each rank cuts what it takes in a round, all on the
     *     same weights
     * @param slowDowns the factors by which each rank's computing is stretched
     * @param slowDownFrom the first epoch in which it is
     * @param rebalancing where shares follow what the ranks compute, epoch after epoch; null where
     *     they stay
     * @param grouping where ranks share hidden units as well: which, and in which groups; else null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Division(
            List<Integer> shares,
            int rounds,
            List<Integer> counts,
            List<Double> slowDowns,
            int slowDownFrom,
            @Nullable Rebalancing rebalancing,
            @Nullable Grouping grouping) {

        public Division {
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
                        "there must be as many rooms as shares, but they are %s and %s"
                                .formatted(rebalancing.rooms(), shares));
            }
            if (counts.size() != shares.size() || slowDowns.size() != shares.size()) {
                throw new IllegalArgumentException(
                        "there must be as many counts and slow-downs as shares, but they are"
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
                            "the first of each group must have its share, but the shares of %s are %s"
                                    .formatted(grouping.groups(), shares));
                }
            }
        }

        /** Of ranks that each train the whole network. */
        public Division(
                List<Integer> shares,
                int rounds,
                List<Integer> counts,
                List<Double> slowDowns,
                int slowDownFrom,
                @Nullable Rebalancing rebalancing) {
            this(shares, rounds, counts, slowDowns, slowDownFrom, rebalancing, null);
        }

        /** Of shares that stay. */
        public Division(
                List<Integer> shares, int rounds, List<Integer> counts, List<Double> slowDowns) {
            this(shares, rounds, counts, slowDowns, 1, null);
        }

        /**
         * The same with ranks in groups.
         *
         * @param formed one whose first ranks have the shares
         */
        public Division in(Grouping formed) {
            return new Division(
                    shares, rounds, counts, slowDowns, slowDownFrom, rebalancing, formed);
        }

        /** One mini-batch a round, at full speed. */
        public static Division of(List<Integer> shares, int rounds) {
            return new Division(
                    shares,
                    rounds,
                    Collections.nCopies(shares.size(), 1),
                    Collections.nCopies(shares.size(), 1.0));
        }

        /** The factor by which a rank's computing is stretched in an epoch. */
        public double slowDown(int rank, int epoch) {
            return epoch < slowDownFrom ? 1 : slowDowns.get(rank);
        }

        @JsonIgnore
        public int ranks() {
            return shares.size();
        }
    }

    /** How many of the training samples, from the first, are used. */
    @JsonIgnore
    public int trainingSamples() {
        return dataset.limit();
    }
}
