package dev.equipoise.protocol;

import java.util.List;

/**
 * Continuation of an interrupted training with the state that some ranks retained in memory; the
 * first of these sends it to the other ranks.
 *
 * @param from recovery point
 * @param holders ranks of this generation that hold the state, in ascending order
 */
public record Continuation(Position from, List<Integer> holders) {

    public Continuation {
        Rules.present("from", from);
        Rules.notEmpty("holders", holders);
        holders = List.copyOf(holders);
        int last = -1;
        for (int holder : holders) {
            Rules.atLeast("holder", holder, last + 1L);
            last = holder;
        }
    }
}
