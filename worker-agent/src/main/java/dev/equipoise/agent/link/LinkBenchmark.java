package dev.equipoise.agent.link;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.collective.FrameGather;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the links between all ranks, of which each makes one and calls it at the same time. The
 * ranks go through the rounds of a tournament together, so that no two measurements share a rank;
 * that they share a machine, or a switch, cannot be excluded from here.
 */
public final class LinkBenchmark {

    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int VALUES = 3;

    private final Channel channel;
    private final Barrier barrier;
    private final PingPong pingPong;
    private final FrameGather gather;
    private final Map<RankPair, LinkCost> led = new HashMap<>();

    /**
     * @param plan equal on all ranks
     * @param memory of which the longest message is taken, accessible from any thread
     */
    public LinkBenchmark(Channel channel, LinkPlan plan, Time time, Arena memory) {
        this.channel = channel;
        this.barrier = new Barrier(channel);
        this.pingPong = new PingPong(channel, plan, time, memory);
        this.gather = new FrameGather(channel, rowBytes(channel.size()), memory);
    }

    /**
     * The costs of all links, equal on all ranks.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    public LinkMatrix measure() {
        for (List<RankPair> round : Pairing.rounds(channel.size())) {
            barrier.await();
            round.stream().filter(pair -> pair.has(channel.rank())).forEach(this::measure);
        }
        return gathered();
    }

    /** The lower rank leads and has the costs. */
    private void measure(RankPair pair) {
        if (channel.rank() == pair.low()) {
            led.put(pair, LinkCost.fit(pingPong.lead(pair.high())));
        } else {
            pingPong.follow(pair.low());
        }
    }

    /** A rank tells of its links to higher ranks only, as the others are told by their leaders. */
    private LinkMatrix gathered() {
        led.forEach((pair, cost) -> write(pair.high(), cost));
        gather.gather(Content.PLAIN, rowBytes(channel.size()));
        Map<RankPair, LinkCost> costs = new HashMap<>();
        for (int low = 0; low < channel.size(); low++) {
            for (int high = low + 1; high < channel.size(); high++) {
                costs.put(new RankPair(low, high), read(low, high));
            }
        }
        return new LinkMatrix(channel.size(), costs);
    }

    private void write(int peer, LinkCost cost) {
        MemorySegment row = gather.own();
        row.setAtIndex(DOUBLE, VALUES * (long) peer, cost.alpha());
        row.setAtIndex(DOUBLE, VALUES * (long) peer + 1, cost.beta());
        row.setAtIndex(DOUBLE, VALUES * (long) peer + 2, cost.relativeError());
    }

    private LinkCost read(int rank, int peer) {
        MemorySegment row = gather.payload(rank);
        return new LinkCost(
                row.getAtIndex(DOUBLE, VALUES * (long) peer),
                row.getAtIndex(DOUBLE, VALUES * (long) peer + 1),
                row.getAtIndex(DOUBLE, VALUES * (long) peer + 2));
    }

    private static long rowBytes(int ranks) {
        return (long) VALUES * Double.BYTES * ranks;
    }
}
