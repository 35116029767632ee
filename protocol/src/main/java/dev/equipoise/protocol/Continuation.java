package dev.equipoise.protocol;

import java.util.List;

/**
 * That a training goes on with what some of its ranks have in memory since it was interrupted; the
 * others get it from the first of these.
 *
 * @param from where it was
 * @param holders ranks of this generation, in ascending order
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
