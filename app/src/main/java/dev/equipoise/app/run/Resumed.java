package dev.equipoise.app.run;

import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * With what the ranks of a run go on that was interrupted.
 *
 * @param parameters checksum of the weights there, where all have the same; else null
 * @param own checksums of the weights of each of the holders, in their order, where these differ;
 *     else none
 */
public record Resumed(Continuation continuation, @Nullable String parameters, List<String> own) {

    public Resumed {
        own = List.copyOf(Objects.requireNonNullElse(own, List.of()));
    }

    /** All with the same weights. */
    static Resumed alike(Continuation continuation, String parameters) {
        return new Resumed(continuation, parameters, List.of());
    }

    /** Each holder with weights of its own. */
    static Resumed apart(Continuation continuation, List<String> own) {
        return new Resumed(continuation, null, own);
    }

    /** The same weights, said to be of another place. */
    Resumed from(Position place) {
        return new Resumed(new Continuation(place, continuation.holders()), parameters, own);
    }

    /**
     * The same of some ranks, who all hold weights, and become the ranks from 0.
     *
     * @param staying in ascending order
     */
    Resumed among(List<Integer> staying) {
        List<Integer> holders = continuation.holders();
        return new Resumed(
                new Continuation(
                        continuation.from(), IntStream.range(0, staying.size()).boxed().toList()),
                parameters,
                isAlike()
                        ? own
                        : staying.stream().map(rank -> own.get(holders.indexOf(rank))).toList());
    }

    /** Whether all ranks begin with the same. */
    boolean isAlike() {
        return own.isEmpty();
    }

    /** Whether these can be the weights with which a rank begins; who holds none gets some. */
    boolean allows(int rank, @Nullable String checksum) {
        if (isAlike()) {
            return Objects.equals(parameters, checksum);
        }
        int holder = continuation.holders().indexOf(rank);
        return holder < 0 || own.get(holder).equals(checksum);
    }
}
