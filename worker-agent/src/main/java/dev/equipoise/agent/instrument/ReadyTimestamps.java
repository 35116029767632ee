package dev.equipoise.agent.instrument;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/*
 * No barrier precedes an exchange: each rank notes when it was ready, and after the epoch all ranks
 * exchange these times. Clocks are compared as in NTP (Mills 1991): the answer with the shortest
 * round trip tells best what rank 0's clock shows in the middle of it.
 */
/**
 * Separates wait time from transfer time after an epoch, by the times at which ranks were ready.
 */
public final class ReadyTimestamps {

    private static final int PINGS = 4;

    /** Earlier than any other time; marks a rank that takes no part in an exchange. */
    private static final long NEVER = Long.MIN_VALUE;

    private final Channel channel;
    private final Time time;
    private final int maxExchanges;
    private final List<Integer> all;
    private final Broadcast broadcast;

    /** Timestamps of all ranks, on the clock of rank 0, one row for each rank. */
    private final MemorySegment table;

    /** Number of exchanges of each rank in the table, in this epoch. */
    private int exchanges;

    /** Time on rank 0's clock, and its time at the start of the first epoch. */
    private final MemorySegment clock;

    private boolean hasOrigin;
    private long origin;

    /** Offset from this rank's clock to rank 0's, in nanoseconds. */
    private long offset;

    /**
     * @param maxExchanges limit of exchanges in an epoch
     * @param memory must outlive this
     */
    public ReadyTimestamps(Channel channel, Time time, int maxExchanges, Arena memory) {
        this.channel = channel;
        this.time = time;
        this.maxExchanges = maxExchanges;
        this.all = IntStream.range(0, channel.size()).boxed().toList();
        this.broadcast = new Broadcast(channel, memory);
        this.table = memory.allocate(JAVA_LONG, (long) maxExchanges * channel.size());
        this.clock = memory.allocate(JAVA_LONG, 2);
    }

    /**
     * Moves time in which this rank waited for others from the transfer times of this epoch to its
     * wait time. Every rank calls it, after the same exchanges or none at all.
     */
    public void settle(Instruments instruments) {
        if (!hasOrigin) {
            origin = instruments.begun();
            hasOrigin = true;
        }
        if (channel.size() > 1) {
            compareClocks();
            if (maxExchanges > 0) {
                shareTimestamps(instruments.readyStamps());
            }
            List<ExchangeInterval> own = instruments.exchanges();
            for (int i = 0; i < own.size(); i++) {
                instruments.waited(own.get(i), waited(own.get(i), i));
            }
        }
        instruments.sent(TrafficKind.CONTROL);
    }

    /**
     * Converts a time to the common clock: rank 0's, in nanoseconds since the start of its first
     * epoch; earlier times are negative.
     */
    long common(long nanos) {
        return nanos + offset - origin;
    }

    private void compareClocks() {
        if (channel.rank() > 0) {
            offset = bestOffset();
            return;
        }
        for (int peer = 1; peer < channel.size(); peer++) {
            for (int i = 0; i < PINGS; i++) {
                channel.receive(peer, MemorySegment.NULL, 0, 0);
                channel.awaitReceived(peer);
                clock.setAtIndex(JAVA_LONG, 0, time.nanoTime());
                clock.setAtIndex(JAVA_LONG, 1, origin);
                channel.send(peer, PayloadType.PLAIN, clock, 0, clock.byteSize());
                channel.awaitSent(peer);
            }
        }
    }

    private long bestOffset() {
        long shortest = Long.MAX_VALUE;
        long best = 0;
        for (int i = 0; i < PINGS; i++) {
            long sent = time.nanoTime();
            channel.exchange(0, MemorySegment.NULL, 0, clock);
            long roundTrip = time.nanoTime() - sent;
            if (roundTrip < shortest) {
                shortest = roundTrip;
                best = clock.getAtIndex(JAVA_LONG, 0) - (sent + roundTrip / 2);
            }
        }
        origin = clock.getAtIndex(JAVA_LONG, 1);
        return best;
    }

    /**
     * Gives all ranks the timestamps of all. Servers have none, so that only rank 0 knows how many
     * there are.
     */
    private void shareTimestamps(long[] timestamps) {
        require(timestamps.length);
        if (channel.rank() == 0) {
            gather(timestamps);
        } else {
            write(timestamps, table);
            channel.send(0, PayloadType.PLAIN, table, 0, (long) timestamps.length * Long.BYTES);
            channel.awaitSent(0);
        }
        clock.setAtIndex(JAVA_LONG, 0, exchanges);
        broadcast.from(0, clock);
        exchanges = Math.toIntExact(clock.getAtIndex(JAVA_LONG, 0));
        require(exchanges);
        broadcast.from(0, table.asSlice(0, channel.size() * rowBytes()));
    }

    private void gather(long[] timestamps) {
        int[] counts = new int[channel.size()];
        counts[0] = timestamps.length;
        write(timestamps, receiveBuffer(0));
        for (int peer = 1; peer < channel.size(); peer++) {
            long bytes = channel.receiveAtMost(peer, receiveBuffer(peer)).bytes();
            counts[peer] = Math.toIntExact(bytes / Long.BYTES);
        }
        exchanges = IntStream.of(counts).max().orElse(0);
        for (int rank = 0; rank < counts.length; rank++) {
            MemorySegment row = table.asSlice(rank * rowBytes(), rowBytes());
            MemorySegment.copy(receiveBuffer(rank), 0, row, 0, (long) counts[rank] * Long.BYTES);
            for (int i = counts[rank]; i < exchanges; i++) {
                row.setAtIndex(JAVA_LONG, i, NEVER);
            }
        }
    }

    /** Returns the memory in which the timestamps of a rank arrive; it holds the maximum number. */
    private MemorySegment receiveBuffer(int rank) {
        long bytes = (long) maxExchanges * Long.BYTES;
        return table.asSlice(rank * bytes, bytes);
    }

    private void write(long[] timestamps, MemorySegment target) {
        for (int i = 0; i < timestamps.length; i++) {
            target.setAtIndex(JAVA_LONG, i, timestamps[i] + offset);
        }
    }

    private long waited(ExchangeInterval exchange, int index) {
        long latest = NEVER;
        for (int partner : exchange.partners().isEmpty() ? all : exchange.partners()) {
            latest =
                    Math.max(
                            latest,
                            table.getAtIndex(JAVA_LONG, (long) partner * exchanges + index));
        }
        return latest == NEVER
                ? 0
                : Math.clamp(
                        latest - offset - exchange.ready(), 0, exchange.over() - exchange.ready());
    }

    private long rowBytes() {
        return (long) exchanges * Long.BYTES;
    }

    private void require(int count) {
        if (count > maxExchanges) {
            throw new IllegalStateException(
                    "an epoch must have at most %d exchanges, but had %d"
                            .formatted(maxExchanges, count));
        }
    }
}
