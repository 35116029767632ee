package dev.equipoise.agent.gossip;

import dev.equipoise.agent.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The mixing rows of one rank for the exchanges of a schedule, computed on first use and cached.
 */
final class MixingRows {

    private final Channel channel;
    private final Schedule schedule;
    private final Mixing mixing;

    /** Cached rows by the position of the exchange in the schedule. */
    private final @Nullable MixingRow[] cached;

    /**
     * @param channel tells which ranks are lost
     */
    MixingRows(Channel channel, Schedule schedule, Mixing mixing) {
        this.channel = channel;
        this.schedule = schedule;
        this.mixing = mixing;
        this.cached = new MixingRow[channel.size()];
    }

    /**
     * Returns the row of an exchange among the remaining ranks. Allocates nothing if the position
     * is cached.
     */
    MixingRow at(long exchange) {
        int ranks = channel.size();
        int position = schedule.position(ranks, exchange);
        MixingRow row = cached[position];
        if (row == null) {
            int rank = channel.rank();
            row = mixing.of(rank, schedule.partners(rank, ranks, exchange));
            cached[position] = row;
        }
        return channel.hasLosses() ? mixing.without(row, channel::isLost) : row;
    }
}
