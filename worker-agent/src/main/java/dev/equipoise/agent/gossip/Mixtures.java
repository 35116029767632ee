package dev.equipoise.agent.gossip;

import org.jspecify.annotations.Nullable;

/** What one rank does at each exchange of a schedule; made when it first comes, and kept. */
final class Mixtures {

    private final int rank;
    private final int ranks;
    private final Schedule schedule;
    private final Mixing mixing;

    /** By the position of the exchange in the schedule. */
    private final @Nullable Mixture[] known;

    Mixtures(int rank, int ranks, Schedule schedule, Mixing mixing) {
        this.rank = rank;
        this.ranks = ranks;
        this.schedule = schedule;
        this.mixing = mixing;
        this.known = new Mixture[ranks];
    }

    /** Allocates nothing once the position has come before. */
    Mixture at(long exchange) {
        int position = schedule.position(ranks, exchange);
        Mixture mixture = known[position];
        if (mixture == null) {
            mixture = mixing.of(rank, schedule.partners(rank, ranks, exchange));
            known[position] = mixture;
        }
        return mixture;
    }
}
