package dev.equipoise.agent.link;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends messages to and fro between two ranks. One of them leads: it decides on what it has
 * measured so far what comes next, and tells the other before.
 */
final class PingPong {

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final long ORDER_BYTES = 2 * Long.BYTES;

    private final Channel channel;
    private final LinkPlan plan;
    private final Time time;
    private final MemorySegment message;
    private final MemorySegment order;

    /**
     * @param memory of which the longest message is taken
     */
    PingPong(Channel channel, LinkPlan plan, Time time, Arena memory) {
        this.channel = channel;
        this.plan = plan;
        this.time = time;
        this.message = memory.allocate(plan.sizes().getLast());
        this.order = memory.allocate(ORDER_BYTES);
    }

    /**
     * Measures with a peer that follows. Sizes for which the plan has no time are left out, but for
     * the first two, without which there is no line.
     */
    List<LinkSample> lead(int peer) {
        double perByte = warmUp(peer);
        List<LinkSample> samples = new ArrayList<>();
        for (long bytes : plan.sizes()) {
            // Too high, as a part of it does not grow with the size: the budget is kept.
            double expected = perByte * bytes;
            if (samples.size() >= 2 && !plan.affords(expected)) {
                break;
            }
            LinkSample sample = measure(peer, bytes, plan.roundTrips(expected));
            samples.add(sample);
            perByte = 2 * sample.seconds() / bytes;
        }
        tell(peer, 0, 0);
        return samples;
    }

    /**
     * Answers a peer that leads until it has measured all. A leader with another plan may announce
     * messages for which there is no room here: the room that there is awaits them, and the channel
     * refuses whatever does not fill it as a bad frame, by which it is closed.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when the leader is lost or sends what it
     *     cannot have meant
     */
    void follow(int leader) {
        while (true) {
            hear(leader);
            long bytes = Math.clamp(order.getAtIndex(LONG, 0), 0, message.byteSize());
            long roundTrips = order.getAtIndex(LONG, 1);
            if (roundTrips == 0) {
                return;
            }
            // A negative number goes on for ever: the frame that is no message ends it.
            for (long i = 0; i != roundTrips; i++) {
                receive(leader, message, bytes);
                send(leader, message, bytes);
            }
        }
    }

    /** Returns the seconds of a round trip of the smallest size, by bytes. */
    private double warmUp(int peer) {
        long bytes = plan.sizes().getFirst();
        LinkSample first = measure(peer, bytes, LinkPlan.LEAST_ROUND_TRIPS);
        int warmUps = plan.warmUps(2 * first.seconds());
        return 2 * measure(peer, bytes, warmUps).seconds() / bytes;
    }

    private LinkSample measure(int peer, long bytes, int roundTrips) {
        tell(peer, bytes, roundTrips);
        long[] nanos = new long[roundTrips];
        for (int i = 0; i < roundTrips; i++) {
            long before = time.nanoTime();
            send(peer, message, bytes);
            receive(peer, message, bytes);
            nanos[i] = time.nanoTime() - before;
        }
        return LinkSample.ofRoundTrips(bytes, nanos);
    }

    private void tell(int peer, long bytes, long roundTrips) {
        order.setAtIndex(LONG, 0, bytes);
        order.setAtIndex(LONG, 1, roundTrips);
        send(peer, order, ORDER_BYTES);
    }

    private void hear(int leader) {
        receive(leader, order, ORDER_BYTES);
    }

    private void send(int peer, MemorySegment memory, long bytes) {
        channel.send(peer, Content.PLAIN, memory, 0, bytes);
        channel.awaitSent(peer);
    }

    private void receive(int peer, MemorySegment memory, long bytes) {
        channel.receive(peer, memory, 0, bytes);
        channel.awaitReceived(peer);
    }
}
