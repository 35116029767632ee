package dev.equipoise.agent.instrument;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/*
 * No barrier is put before an exchange: each rank notes when it was ready, and after the epoch all
 * tell one another. Clocks are compared as in NTP (Mills 1991): the answer with the shortest round
 * trip says best what rank 0's clock shows in the middle of it.
 */
/** Tells waiting from transfer, after the epoch, by when each rank was ready. */
public final class Stamps {

    private static final int PINGS = 4;

    /** Before any other: of a rank that takes no part in an exchange. */
    private static final long NEVER = Long.MIN_VALUE;

    private final Channel channel;
    private final Time time;
    private final int mostExchanges;
    private final List<Integer> all;
    private final Broadcast broadcast;

    /** The stamps of all ranks, on the clock of rank 0. */
    private final MemorySegment table;

    /** What rank 0's clock shows, and what it showed when it began its first epoch. */
    private final MemorySegment clock;

    private boolean hasOrigin;
    private long origin;

    /** To add to the own clock for that of rank 0, in nanoseconds. */
    private long offset;

    /**
     * @param mostExchanges of an epoch
     * @param memory must outlive it
     */
    public Stamps(Channel channel, Time time, int mostExchanges, Arena memory) {
        this.channel = channel;
        this.time = time;
        this.mostExchanges = mostExchanges;
        this.all = IntStream.range(0, channel.size()).boxed().toList();
        this.broadcast = new Broadcast(channel, memory);
        this.table = memory.allocate(JAVA_LONG, (long) mostExchanges * channel.size());
        this.clock = memory.allocate(JAVA_LONG, 2);
    }

    /**
     * Takes out of the transfers of this epoch what was a wait for ranks that were not ready yet.
     * Every rank calls it, after the same exchanges or none at all.
     */
    public void settle(Instruments instruments) {
        if (!hasOrigin) {
            origin = instruments.begun();
            hasOrigin = true;
        }
        if (channel.size() > 1) {
            compareClocks();
            long[] stamps = instruments.readyStamps();
            require(stamps.length);
            tellAll(stamps);
            List<Exchange> exchanges = instruments.exchanges();
            for (int i = 0; i < exchanges.size(); i++) {
                instruments.waited(exchanges.get(i), waited(exchanges.get(i), i));
            }
        }
        instruments.sent(Kind.CONTROL);
    }

    /**
     * A moment of the own clock on that of all ranks, which is rank 0's since it began its first
     * epoch; in nanoseconds, and less than 0 for what came before.
     */
    long common(long moment) {
        return moment + offset - origin;
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
                channel.send(peer, Content.PLAIN, clock, 0, clock.byteSize());
                channel.awaitSent(peer);
            }
        }
    }

    private long bestOffset() {
        long shortest = Long.MAX_VALUE;
        long best = 0;
        for (int i = 0; i < PINGS; i++) {
            long asked = time.nanoTime();
            channel.exchange(0, MemorySegment.NULL, 0, clock);
            long roundTrip = time.nanoTime() - asked;
            if (roundTrip < shortest) {
                shortest = roundTrip;
                best = clock.getAtIndex(JAVA_LONG, 0) - (asked + roundTrip / 2);
            }
        }
        origin = clock.getAtIndex(JAVA_LONG, 1);
        return best;
    }

    private void tellAll(long[] stamps) {
        write(stamps);
        if (channel.rank() == 0) {
            for (int peer = 1; peer < channel.size(); peer++) {
                channel.receive(peer, row(peer), 0, row(peer).byteSize());
            }
            for (int peer = 1; peer < channel.size(); peer++) {
                channel.awaitReceived(peer);
            }
        } else {
            MemorySegment own = row(channel.rank());
            channel.send(0, Content.PLAIN, own, 0, own.byteSize());
            channel.awaitSent(0);
        }
        broadcast.from(0, table);
    }

    private void write(long[] stamps) {
        MemorySegment own = row(channel.rank());
        for (int i = 0; i < mostExchanges; i++) {
            own.setAtIndex(JAVA_LONG, i, i < stamps.length ? stamps[i] + offset : NEVER);
        }
    }

    private long waited(Exchange exchange, int index) {
        long latest = NEVER;
        for (int partner : exchange.partners().isEmpty() ? all : exchange.partners()) {
            latest = Math.max(latest, row(partner).getAtIndex(JAVA_LONG, index));
        }
        return latest == NEVER
                ? 0
                : Math.clamp(
                        latest - offset - exchange.ready(), 0, exchange.over() - exchange.ready());
    }

    private MemorySegment row(int rank) {
        long bytes = (long) mostExchanges * Long.BYTES;
        return table.asSlice(rank * bytes, bytes);
    }

    private void require(int exchanges) {
        if (exchanges > mostExchanges) {
            throw new IllegalStateException(
                    "an epoch has at most %d exchanges, but had %d"
                            .formatted(mostExchanges, exchanges));
        }
    }
}
