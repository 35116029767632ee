package dev.equipoise.agent.gossip;

import dev.equipoise.agent.channel.Channel;
import org.jspecify.annotations.Nullable;

/** What one rank does at each exchange of a schedule; made when it first comes, and kept. */
final class Mixtures {

    private final Channel channel;
    private final Schedule schedule;
    private final Mixing mixing;

    /** By the position of the exchange in the schedule. */
    private final @Nullable Mixture[] known;

    /**
     * @param channel whose losses are borne
     */
    Mixtures(Channel channel, Schedule schedule, Mixing mixing) {
        this.channel = channel;
        this.schedule = schedule;
        this.mixing = mixing;
        this.known = new Mixture[channel.size()];
    }

    /** Among those that are not lost. Allocates nothing once the position has come before. */
    Mixture at(long exchange) {
        int ranks = channel.size();
        int position = schedule.position(ranks, exchange);
        Mixture mixture = known[position];
        if (mixture == null) {
            int rank = channel.rank();
            mixture = mixing.of(rank, schedule.partners(rank, ranks, exchange));
            known[position] = mixture;
        }
        return channel.hasLosses() ? mixing.without(mixture, channel::isLost) : mixture;
    }
}
