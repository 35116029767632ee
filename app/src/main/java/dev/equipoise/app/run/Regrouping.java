package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** With whom a run goes on of which ranks were lost. */
public sealed interface Regrouping {

    /** Some have not said yet where they are. */
    record Wait() implements Regrouping {}

    /**
     * These go on.
     *
     * @param ranks of the generation that has ended, in ascending order, which is that of the new
     *     ones
     * @param resumed where, by the new ranks
     */
    record GoOn(List<Integer> ranks, Resumed resumed) implements Regrouping {

        public GoOn {
            ranks = List.copyOf(ranks);
        }
    }

    /** They are too few, or nobody has anything to go on with. */
    record Stop(List<Integer> left) implements Regrouping {

        public Stop {
            left = List.copyOf(left);
        }
    }

    /** Nothing is left to be done: who has finished has told how the run ended. */
    record Complete() implements Regrouping {}

    /** How far a rank has come in the generation that ends. */
    enum Stage {
        /** It was not ready yet. */
        PREPARES,
        /** It trains, as far as is known. */
        TRAINS,
        /** It has made room for another run, and does something else by now. */
        STOPPED,
        /** It has told all that it has to tell, and does something else by now. */
        FINISHED
    }

    /**
     * What those must be that go on.
     *
     * @param rounds of an epoch
     * @param servers the first so many ranks, of which none can be done without
     * @param least ranks with which the run goes on, servers and all
     * @param carryOn whether ranks have weights of their own, and train on to the end of an epoch
     *     in which others are lost
     */
    record Terms(int rounds, int servers, int least, boolean carryOn) {

        private boolean areMetBy(List<Rank> some) {
            return some.size() >= least
                    && some.stream().filter(it -> it.rank() < servers).count() == servers;
        }
    }

    /**
     * A rank of the generation that ends.
     *
     * @param standstill null as long as it does not stand, and is not known to be lost
     */
    record Rank(int rank, Stage stage, @Nullable Standstill standstill) {

        private Optional<Standstill.Waiting> waiting() {
            return standstill instanceof Standstill.Waiting waiting
                    ? Optional.of(waiting)
                    : Optional.empty();
        }

        private Optional<Held> held() {
            return waiting().map(Standstill.Waiting::held);
        }

        private boolean misses(Rank other) {
            return waiting().filter(it -> it.missing().contains(other.rank)).isPresent();
        }

        private boolean isLost() {
            return standstill instanceof Standstill.Lost;
        }

        private boolean isAtWork() {
            return standstill == null && (stage == Stage.PREPARES || stage == Stage.TRAINS);
        }
    }

    /**
     * Decides, once all ranks have spoken but those that others miss, or it was waited for them
     * long enough. Those that miss one another do not go on together.
     *
     * <p>Ranks that carry on need as long as the epoch takes them, so that patience ends with those
     * alone that have not begun. Where too few are left, nobody trains to the end of the epoch in
     * vain.
     *
     * @param isPatienceOver whether who can be late is not waited for any more
     */
    static Regrouping decide(List<Rank> ranks, Terms terms, boolean isPatienceOver) {
        boolean isAtEnd =
                terms.carryOn() && ranks.stream().anyMatch(it -> it.stage() == Stage.FINISHED);
        List<Rank> alive = ranks.stream().filter(it -> !it.isLost()).toList();
        if (terms.carryOn() && !isAtEnd && !terms.areMetBy(alive)) {
            return new Stop(numbers(alive));
        }
        boolean isAnyAwaited =
                ranks.stream()
                        .filter(it -> isAwaited(it, ranks))
                        .anyMatch(it ->
                                !isPatienceOver || (terms.carryOn() && it.stage() == Stage.TRAINS));
        if (isAnyAwaited) {
            return new Wait();
        }
        return isAtEnd ? new Complete() : decide(together(standing(ranks)), terms);
    }

    private static boolean isAwaited(Rank rank, List<Rank> all) {
        return rank.isAtWork() && all.stream().noneMatch(it -> it.misses(rank));
    }

    private static List<Rank> standing(List<Rank> ranks) {
        return ranks.stream().filter(it -> it.waiting().isPresent()).toList();
    }

    private static List<Integer> numbers(List<Rank> some) {
        return some.stream().map(Rank::rank).toList();
    }

    private static Regrouping decide(List<Rank> left, Terms terms) {
        Optional<Position> furthest =
                left.stream()
                        .flatMap(it -> it.held().stream())
                        .map(Held::position)
                        .max(Comparator.comparingLong(it -> it.step(terms.rounds())));
        return furthest.filter(_ -> terms.areMetBy(left))
                .map(from -> resumed(left, from, terms))
                .filter(it -> haveServers(it.continuation(), terms))
                .<Regrouping>map(it -> new GoOn(numbers(left), it))
                .orElseGet(() -> new Stop(numbers(left)));
    }

    /** What a server has nobody else does. */
    private static boolean haveServers(Continuation continuation, Terms terms) {
        return continuation.holders().stream().filter(it -> it < terms.servers()).count()
                == terms.servers();
    }

    /** Without whom most others miss, as long as anybody misses anybody. */
    private static List<Rank> together(List<Rank> some) {
        List<Rank> left = new ArrayList<>(some);
        while (true) {
            Optional<Rank> worst =
                    left.stream()
                            .max(
                                    Comparator.<Rank>comparingLong(it -> conflicts(it, left))
                                            .thenComparingInt(Rank::rank))
                            .filter(it -> conflicts(it, left) > 0);
            if (worst.isEmpty()) {
                return left;
            }
            left.remove(worst.get());
        }
    }

    private static long conflicts(Rank one, List<Rank> all) {
        return all.stream()
                .filter(it -> it.rank() != one.rank())
                .filter(it -> it.misses(one) || one.misses(it))
                .count();
    }

    /**
     * Where all have the same, who holds other weights of the same round, which must not be, goes
     * on with the first's.
     */
    private static Resumed resumed(List<Rank> left, Position from, Terms terms) {
        SortedMap<Integer, String> held = new TreeMap<>();
        for (int rank = 0; rank < left.size(); rank++) {
            int holder = rank;
            left.get(rank)
                    .held()
                    .filter(it -> it.position().step(terms.rounds()) == from.step(terms.rounds()))
                    .ifPresent(it -> held.put(holder, it.parameters()));
        }
        if (terms.carryOn()) {
            return Resumed.apart(
                    new Continuation(from, List.copyOf(held.keySet())), List.copyOf(held.values()));
        }
        String first = held.firstEntry().getValue();
        held.values().removeIf(it -> !it.equals(first));
        return Resumed.alike(new Continuation(from, List.copyOf(held.keySet())), first);
    }
}
