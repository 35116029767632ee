package dev.equipoise.agent.link;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Ping-pong measurement between two ranks. The leader chooses each next step by what it has
 * measured so far, and announces it to the follower.
 */
final class PingPong {

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final long ANNOUNCEMENT_BYTES = 2 * Long.BYTES;

    private final Channel channel;
    private final LinkPlan plan;
    private final Time time;
    private final MemorySegment message;
    private final MemorySegment announcement;

    /**
     * @param memory provides the longest message
     */
    PingPong(Channel channel, LinkPlan plan, Time time, Arena memory) {
        this.channel = channel;
        this.plan = plan;
        this.time = time;
        this.message = memory.allocate(plan.sizes().getLast());
        this.announcement = memory.allocate(ANNOUNCEMENT_BYTES);
    }

    /**
     * Measures the link to a following peer. Sizes that exceed the plan's budget are skipped,
     * except the first two, which a line needs.
     */
    List<LinkSample> lead(int peer) {
        double perByte = warmUp(peer);
        List<LinkSample> samples = new ArrayList<>();
        for (long bytes : plan.sizes()) {
            // An overestimate, since the latency does not grow with the size: the budget is kept.
            double expected = perByte * bytes;
            if (samples.size() >= 2 && !plan.affords(expected)) {
                break;
            }
            LinkSample sample = measure(peer, bytes, plan.roundTrips(expected));
            samples.add(sample);
            perByte = 2 * sample.seconds() / bytes;
        }
        announce(peer, 0, 0);
        return samples;
    }

    /**
     * Answers a leading peer until it has measured all sizes. A leader with another plan may
     * announce longer messages than there is memory for: this side receives up to its memory, and
     * the channel rejects a frame of another size as bad, which closes it.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when the leader is lost or sends invalid
     *     frames
     */
    void follow(int leader) {
        while (true) {
            receiveAnnouncement(leader);
            long bytes = Math.clamp(announcement.getAtIndex(LONG, 0), 0, message.byteSize());
            long roundTrips = announcement.getAtIndex(LONG, 1);
            if (roundTrips == 0) {
                return;
            }
            // A negative number never ends the loop: the next announcement does, as a bad frame.
            for (long i = 0; i != roundTrips; i++) {
                receive(leader, message, bytes);
                send(leader, message, bytes);
            }
        }
    }

    /** Warms up, and returns the seconds of a round trip of the smallest size, per byte. */
    private double warmUp(int peer) {
        long bytes = plan.sizes().getFirst();
        LinkSample first = measure(peer, bytes, LinkPlan.MIN_ROUND_TRIPS);
        int warmUps = plan.warmUps(2 * first.seconds());
        return 2 * measure(peer, bytes, warmUps).seconds() / bytes;
    }

    private LinkSample measure(int peer, long bytes, int roundTrips) {
        announce(peer, bytes, roundTrips);
        long[] nanos = new long[roundTrips];
        for (int i = 0; i < roundTrips; i++) {
            long before = time.nanoTime();
            send(peer, message, bytes);
            receive(peer, message, bytes);
            nanos[i] = time.nanoTime() - before;
        }
        return LinkSample.ofRoundTrips(bytes, nanos);
    }

    private void announce(int peer, long bytes, long roundTrips) {
        announcement.setAtIndex(LONG, 0, bytes);
        announcement.setAtIndex(LONG, 1, roundTrips);
        send(peer, announcement, ANNOUNCEMENT_BYTES);
    }

    private void receiveAnnouncement(int leader) {
        receive(leader, announcement, ANNOUNCEMENT_BYTES);
    }

    private void send(int peer, MemorySegment memory, long bytes) {
        channel.send(peer, PayloadType.PLAIN, memory, 0, bytes);
        channel.awaitSent(peer);
    }

    private void receive(int peer, MemorySegment memory, long bytes) {
        channel.receive(peer, memory, 0, bytes);
        channel.awaitReceived(peer);
    }
}
