package dev.equipoise.app.recovery;

import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Retained state with which the ranks of an interrupted run continue.
 *
 * @param parameters checksum of the weights if all holders have the same; else null
 * @param own checksum of the weights of each holder, in their order, if these differ; else none
 */
public record ResumePoint(
        Continuation continuation, @Nullable String parameters, List<String> own) {

    public ResumePoint {
        own = List.copyOf(Objects.requireNonNullElse(own, List.of()));
    }

    /** Creates a point at which all holders have the same weights. */
    static ResumePoint alike(Continuation continuation, String parameters) {
        return new ResumePoint(continuation, parameters, List.of());
    }

    /** Creates a point at which each holder has weights of its own. */
    static ResumePoint apart(Continuation continuation, List<String> own) {
        return new ResumePoint(continuation, null, own);
    }

    /** Returns the same weights under another position. */
    public ResumePoint from(Position position) {
        return new ResumePoint(new Continuation(position, continuation.holders()), parameters, own);
    }

    /**
     * Restricts the point to some ranks, which all hold weights and are renumbered from 0.
     *
     * @param staying in ascending order
     */
    ResumePoint among(List<Integer> staying) {
        List<Integer> holders = continuation.holders();
        return new ResumePoint(
                new Continuation(
                        continuation.from(), IntStream.range(0, staying.size()).boxed().toList()),
                parameters,
                isAlike()
                        ? own
                        : staying.stream().map(rank -> own.get(holders.indexOf(rank))).toList());
    }

    /** Whether all ranks begin with the same weights. */
    boolean isAlike() {
        return own.isEmpty();
    }

    /** Whether a rank may begin with these weights; a rank that holds none receives some. */
    boolean allows(int rank, @Nullable String checksum) {
        if (isAlike()) {
            return Objects.equals(parameters, checksum);
        }
        int holder = continuation.holders().indexOf(rank);
        return holder < 0 || own.get(holder).equals(checksum);
    }
}
