package dev.equipoise.app.recovery;

import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Survivor selection: decides with which ranks a run continues after ranks were lost. */
public sealed interface SurvivorSelection {

    /** Some ranks have not reported yet. */
    record Wait() implements SurvivorSelection {}

    /**
     * The run continues with these ranks.
     *
     * @param ranks of the generation that has ended, in ascending order, which becomes the order of
     *     the new numbers
     * @param resumed retained state with which they continue, by their new numbers
     */
    record Continue(List<Integer> ranks, ResumePoint resumed) implements SurvivorSelection {

        public Continue {
            ranks = List.copyOf(ranks);
        }
    }

    /**
     * Too few ranks are left, or none has a retained state to continue with.
     *
     * @param left remaining ranks
     */
    record Stop(List<Integer> left) implements SurvivorSelection {

        public Stop {
            left = List.copyOf(left);
        }
    }

    /** The run is complete: finished ranks have reported its end. */
    record Complete() implements SurvivorSelection {}

    /** Stage of a rank in the generation that ends. */
    enum Stage {
        /** The rank was not ready yet. */
        PREPARES,
        /** The rank trains, as far as is known. */
        TRAINS,
        /** The rank stopped for a preemption; its worker is free for other work. */
        STOPPED,
        /** The rank reported everything; its worker is free for other work. */
        FINISHED
    }

    /**
     * Requirements for the ranks that continue.
     *
     * @param rounds rounds of an epoch
     * @param servers number of servers, the first ranks, all of which are required
     * @param least least number of ranks, servers included
     * @param carryOn whether ranks have weights of their own and train to the end of an epoch in
     *     which others are lost
     */
    record Requirements(int rounds, int servers, int least, boolean carryOn) {

        private boolean areMet(List<Rank> some) {
            return some.size() >= least
                    && some.stream().filter(it -> it.rank() < servers).count() == servers;
        }
    }

    /**
     * Rank of the generation that ends.
     *
     * @param stopped null unless the rank is suspended or known to be lost
     */
    record Rank(int rank, Stage stage, @Nullable StoppedRank stopped) {

        private Optional<StoppedRank.Waiting> waiting() {
            return stopped instanceof StoppedRank.Waiting waiting
                    ? Optional.of(waiting)
                    : Optional.empty();
        }

        private Optional<RetainedPoint> held() {
            return waiting().map(StoppedRank.Waiting::held);
        }

        private boolean hasLost(Rank other) {
            return waiting().filter(it -> it.missing().contains(other.rank)).isPresent();
        }

        private boolean isLost() {
            return stopped instanceof StoppedRank.Lost;
        }

        private boolean isAtWork() {
            return stopped == null && (stage == Stage.PREPARES || stage == Stage.TRAINS);
        }
    }

    /**
     * Decides once all ranks have reported, except those that others have lost contact with, or the
     * grace period has expired. Ranks that have lost contact with one another do not continue
     * together.
     *
     * <p>Ranks that carry on need as long as the epoch takes, so the grace period applies only to
     * ranks that have not begun. If too few ranks are left, the decision is immediate, so that none
     * trains to the end of the epoch in vain.
     *
     * @param isGracePeriodOver whether ranks that may be late are no longer awaited
     */
    static SurvivorSelection decide(
            List<Rank> ranks, Requirements requirements, boolean isGracePeriodOver) {
        boolean isAtEnd =
                requirements.carryOn()
                        && ranks.stream().anyMatch(it -> it.stage() == Stage.FINISHED);
        List<Rank> alive = ranks.stream().filter(it -> !it.isLost()).toList();
        if (requirements.carryOn() && !isAtEnd && !requirements.areMet(alive)) {
            return new Stop(numbers(alive));
        }
        boolean isAnyAwaited =
                ranks.stream()
                        .filter(it -> isAwaited(it, ranks))
                        .anyMatch(it ->
                                !isGracePeriodOver
                                        || (requirements.carryOn() && it.stage() == Stage.TRAINS));
        if (isAnyAwaited) {
            return new Wait();
        }
        return isAtEnd ? new Complete() : decide(mutuallyConnected(suspended(ranks)), requirements);
    }

    private static boolean isAwaited(Rank rank, List<Rank> all) {
        return rank.isAtWork() && all.stream().noneMatch(it -> it.hasLost(rank));
    }

    private static List<Rank> suspended(List<Rank> ranks) {
        return ranks.stream().filter(it -> it.waiting().isPresent()).toList();
    }

    private static List<Integer> numbers(List<Rank> some) {
        return some.stream().map(Rank::rank).toList();
    }

    private static SurvivorSelection decide(List<Rank> left, Requirements requirements) {
        Optional<Position> furthest =
                left.stream()
                        .flatMap(it -> it.held().stream())
                        .map(RetainedPoint::position)
                        .max(Comparator.comparingLong(it -> it.step(requirements.rounds())));
        return furthest.filter(_ -> requirements.areMet(left))
                .map(from -> resumed(left, from, requirements))
                .filter(it -> haveAllServers(it.continuation(), requirements))
                .<SurvivorSelection>map(it -> new Continue(numbers(left), it))
                .orElseGet(() -> new Stop(numbers(left)));
    }

    /** Whether all servers hold their state, which no other rank has. */
    private static boolean haveAllServers(Continuation continuation, Requirements requirements) {
        return continuation.holders().stream().filter(it -> it < requirements.servers()).count()
                == requirements.servers();
    }

    /** Drops the rank with the most lost connections until all remaining ranks see each other. */
    private static List<Rank> mutuallyConnected(List<Rank> some) {
        List<Rank> left = new ArrayList<>(some);
        while (true) {
            Optional<Rank> worst =
                    left.stream()
                            .max(
                                    Comparator.<Rank>comparingLong(it -> lostConnections(it, left))
                                            .thenComparingInt(Rank::rank))
                            .filter(it -> lostConnections(it, left) > 0);
            if (worst.isEmpty()) {
                return left;
            }
            left.remove(worst.get());
        }
    }

    private static long lostConnections(Rank one, List<Rank> all) {
        return all.stream()
                .filter(it -> it.rank() != one.rank())
                .filter(it -> it.hasLost(one) || one.hasLost(it))
                .count();
    }

    /**
     * Returns the retained state at the furthest position. If all ranks must have the same weights,
     * ranks whose weights differ at the same round, on processors that round differently, receive
     * those of the first holder.
     */
    private static ResumePoint resumed(List<Rank> left, Position from, Requirements requirements) {
        SortedMap<Integer, String> held = heldAt(from, left, requirements.rounds());
        if (requirements.carryOn()) {
            return ResumePoint.apart(
                    new Continuation(from, List.copyOf(held.keySet())), List.copyOf(held.values()));
        }
        String first = held.firstEntry().getValue();
        held.values().removeIf(it -> !it.equals(first));
        return ResumePoint.alike(new Continuation(from, List.copyOf(held.keySet())), first);
    }

    /** Returns the checksums of the weights at a position, by the new numbers of their holders. */
    private static SortedMap<Integer, String> heldAt(
            Position position, List<Rank> left, int rounds) {
        SortedMap<Integer, String> held = new TreeMap<>();
        for (int rank = 0; rank < left.size(); rank++) {
            int holder = rank;
            left.get(rank)
                    .held()
                    .filter(it -> it.position().step(rounds) == position.step(rounds))
                    .ifPresent(it -> held.put(holder, it.parameters()));
        }
        return held;
    }
}
