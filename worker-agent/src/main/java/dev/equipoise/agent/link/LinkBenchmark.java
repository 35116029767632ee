package dev.equipoise.agent.link;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.collective.FrameAllGather;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the links between all ranks; each rank makes one benchmark and calls it at the same
 * time. The rounds of a tournament keep any two concurrent measurements from sharing a rank; they
 * may still share a host or a switch.
 */
public final class LinkBenchmark {

    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int VALUES = 3;

    private final Channel channel;
    private final Barrier barrier;
    private final PingPong pingPong;
    private final FrameAllGather gather;
    private final Map<RankPair, LinkCost> measured = new HashMap<>();

    /**
     * @param plan equal on all ranks
     * @param memory provides the longest message; accessible from any thread
     */
    public LinkBenchmark(Channel channel, LinkPlan plan, Time time, Arena memory) {
        this.channel = channel;
        this.barrier = new Barrier(channel);
        this.pingPong = new PingPong(channel, plan, time, memory);
        this.gather = new FrameAllGather(channel, rowBytes(channel.size()), memory);
    }

    /**
     * Returns the costs of all links, equal on all ranks.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    public LinkMatrix measure() {
        for (List<RankPair> round : RoundRobinTournament.rounds(channel.size())) {
            barrier.await();
            round.stream().filter(pair -> pair.has(channel.rank())).forEach(this::measure);
        }
        return gathered();
    }

    /** Measures one link; the lower rank leads and keeps the cost. */
    private void measure(RankPair pair) {
        if (channel.rank() == pair.low()) {
            measured.put(pair, LinkCost.fit(pingPong.lead(pair.high())));
        } else {
            pingPong.follow(pair.low());
        }
    }

    /** Gathers the costs: each rank sends those of its links to higher ranks. */
    private LinkMatrix gathered() {
        measured.forEach((pair, cost) -> write(pair.high(), cost));
        gather.gather(PayloadType.PLAIN, rowBytes(channel.size()));
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
