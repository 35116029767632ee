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

    /** The stamps of all ranks, on the clock of rank 0, each rank's behind those before it. */
    private final MemorySegment table;

    /** Of each rank in the table, in this epoch. */
    private int exchanges;

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
            if (mostExchanges > 0) {
                tellAll(instruments.readyStamps());
            }
            List<Exchange> own = instruments.exchanges();
            for (int i = 0; i < own.size(); i++) {
                instruments.waited(own.get(i), waited(own.get(i), i));
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

    /** Ranks that serve have none, so that nobody but rank 0 knows how many there are. */
    private void tellAll(long[] stamps) {
        require(stamps.length);
        if (channel.rank() == 0) {
            gather(stamps);
        } else {
            write(stamps, table);
            channel.send(0, Content.PLAIN, table, 0, (long) stamps.length * Long.BYTES);
            channel.awaitSent(0);
        }
        clock.setAtIndex(JAVA_LONG, 0, exchanges);
        broadcast.from(0, clock);
        exchanges = Math.toIntExact(clock.getAtIndex(JAVA_LONG, 0));
        require(exchanges);
        broadcast.from(0, table.asSlice(0, channel.size() * rowBytes()));
    }

    private void gather(long[] stamps) {
        int[] counts = new int[channel.size()];
        counts[0] = stamps.length;
        write(stamps, room(0));
        for (int peer = 1; peer < channel.size(); peer++) {
            long bytes = channel.receiveAtMost(peer, room(peer)).bytes();
            counts[peer] = Math.toIntExact(bytes / Long.BYTES);
        }
        exchanges = IntStream.of(counts).max().orElse(0);
        for (int rank = 0; rank < counts.length; rank++) {
            MemorySegment row = table.asSlice(rank * rowBytes(), rowBytes());
            MemorySegment.copy(room(rank), 0, row, 0, (long) counts[rank] * Long.BYTES);
            for (int i = counts[rank]; i < exchanges; i++) {
                row.setAtIndex(JAVA_LONG, i, NEVER);
            }
        }
    }

    /** Where the stamps of a rank arrive, however many there are. */
    private MemorySegment room(int rank) {
        long bytes = (long) mostExchanges * Long.BYTES;
        return table.asSlice(rank * bytes, bytes);
    }

    private void write(long[] stamps, MemorySegment target) {
        for (int i = 0; i < stamps.length; i++) {
            target.setAtIndex(JAVA_LONG, i, stamps[i] + offset);
        }
    }

    private long waited(Exchange exchange, int index) {
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
        if (count > mostExchanges) {
            throw new IllegalStateException(
                    "an epoch has at most %d exchanges, but had %d"
                            .formatted(mostExchanges, count));
        }
    }
}
