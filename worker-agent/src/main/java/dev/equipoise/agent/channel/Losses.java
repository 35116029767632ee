package dev.equipoise.agent.channel;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Which peers of a channel were lost; for any thread. */
final class Losses {

    private final AtomicIntegerArray lost;
    private volatile boolean any;

    Losses(int ranks) {
        this.lost = new AtomicIntegerArray(ranks);
    }

    /** Whether it is news. */
    boolean add(int rank) {
        boolean isNew = lost.getAndSet(rank, 1) == 0;
        any = true;
        return isNew;
    }

    /** A look at one field as long as there are none, since it is asked for every frame. */
    boolean are(int rank) {
        return any && lost.get(rank) == 1;
    }

    boolean areAny() {
        return any;
    }
}
