package dev.equipoise.agent.channel;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** The lost peers of a channel. Thread-safe. */
final class LostPeers {

    private final AtomicIntegerArray lost;
    private volatile boolean any;

    LostPeers(int ranks) {
        this.lost = new AtomicIntegerArray(ranks);
    }

    /** Adds a peer; returns false if it was lost already. */
    boolean add(int rank) {
        boolean isNew = lost.getAndSet(rank, 1) == 0;
        any = true;
        return isNew;
    }

    /** Reads only one field while no peer is lost, since every frame asks. */
    boolean contains(int rank) {
        return any && lost.get(rank) == 1;
    }

    boolean hasAny() {
        return any;
    }
}
