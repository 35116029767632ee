package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
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

    /**
     * A rank of the generation that ends.
     *
     * @param standstill null as long as nothing was heard of it
     * @param isFinished whether it has told all that it has to tell, and does something else by now
     */
    record Rank(int rank, @Nullable Standstill standstill, boolean isFinished) {

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
    }

    /**
     * Decides, once all ranks have spoken but those that others miss, or it was waited for them
     * long enough. Those that miss one another do not go on together.
     *
     * @param rounds of an epoch
     * @param least ranks with which the run goes on
     * @param isPatienceOver whether nobody is waited for any more
     */
    static Regrouping decide(List<Rank> ranks, int rounds, int least, boolean isPatienceOver) {
        if (!isPatienceOver && ranks.stream().anyMatch(it -> isAwaited(it, ranks))) {
            return new Wait();
        }
        List<Rank> left = together(ranks.stream().filter(it -> it.waiting().isPresent()).toList());
        List<Integer> numbers = left.stream().map(Rank::rank).toList();
        Optional<Held> furthest =
                left.stream()
                        .flatMap(it -> it.held().stream())
                        .max(Comparator.comparingLong(it -> it.position().step(rounds)));
        return left.size() < least || furthest.isEmpty()
                ? new Stop(numbers)
                : new GoOn(numbers, resumed(left, furthest.get(), rounds));
    }

    private static boolean isAwaited(Rank rank, List<Rank> all) {
        return rank.standstill() == null
                && !rank.isFinished()
                && all.stream().noneMatch(it -> it.misses(rank));
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

    /** Who holds other weights of the same round, which must not be, goes on with the first's. */
    private static Resumed resumed(List<Rank> left, Held furthest, int rounds) {
        Position from = furthest.position();
        List<Integer> holders =
                IntStream.range(0, left.size())
                        .filter(rank ->
                                left.get(rank)
                                        .held()
                                        .filter(it ->
                                                it.position().step(rounds) == from.step(rounds))
                                        .filter(it ->
                                                Objects.equals(
                                                        it.parameters(), furthest.parameters()))
                                        .isPresent())
                        .boxed()
                        .toList();
        return new Resumed(new Continuation(from, holders), furthest.parameters());
    }
}
