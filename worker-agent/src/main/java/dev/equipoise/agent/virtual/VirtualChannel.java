package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.channel.LinkLimits;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A rank's place in a virtual cluster. Its actors call it one at a time; any thread may close. */
final class VirtualChannel implements Channel {

    /** More frames that nobody takes are not sent before the receiver has had its time. */
    private static final int MOST_UNTAKEN = 64;

    private final int rank;
    private final List<VirtualChannel> ranks;
    private final LinkModel links;
    private final Scheduler scheduler;
    private final Buffers buffers;
    private final @Nullable Flow[] out;
    private final @Nullable Flow[] in;
    private final Port egress = new Port();
    private final Port ingress = new Port();
    private long framesSent;
    private long framesArrived;
    private long bytesSent;
    private volatile @Nullable String closedBecause;
    private long closedAt;

    /** Who waits for a frame, and of whom; null for frames of any rank. */
    private @Nullable Actor waiting;

    private @Nullable Flow awaited;

    /**
     * @param ranks all of the cluster, in order, when the first frame is sent
     */
    VirtualChannel(
            int rank,
            int size,
            List<VirtualChannel> ranks,
            LinkModel links,
            Scheduler scheduler,
            Buffers buffers) {
        this.rank = rank;
        this.ranks = ranks;
        this.links = links;
        this.scheduler = scheduler;
        this.buffers = buffers;
        this.out = new Flow[size];
        this.in = new Flow[size];
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return out.length;
    }

    @Override
    public void send(int to, Content content, MemorySegment memory, long offset, long bytes) {
        requireRoom(memory, offset, bytes);
        Flow flow = outgoing(to);
        requireOpen(to);
        VirtualChannel receiver = ranks.get(to);
        if (receiver.isClosed() && receiver.closedAt <= now()) {
            throw failed(to, Reason.PEER_LOST, "one of the two has closed its channel");
        }
        Actor actor = actor();
        if (flow.untaken() >= MOST_UNTAKEN) {
            scheduler.catchUp(actor);
        }
        bytesSent += FrameHeader.BYTES + bytes;
        scheduler.expect(flow.send(actor.at, framesSent++, content, memory, offset, bytes));
    }

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {
        requireRoom(memory, offset, bytes);
        incoming(from).post(now(), memory, offset, bytes, true);
    }

    private static void requireRoom(MemorySegment memory, long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a frame has at most 2 GB, but was to have %d bytes".formatted(bytes));
        }
    }

    @Override
    public void awaitReceived(int from) {
        Flow flow = incoming(from);
        if (!flow.isAwaited()) {
            throw new IllegalStateException(
                    "rank %d awaits a frame of rank %d for which it has posted no room"
                            .formatted(rank, from));
        }
        takeOldest(flow);
    }

    private Frame takeOldest(Flow flow) {
        awaitArrival(flow);
        Frame frame = flow.oldest();
        actor().advanceTo(frame.arrivedAt);
        if (!frame.fits()) {
            throw failed(flow.from(), Reason.BAD_FRAME, frame.misfit());
        }
        flow.take();
        return frame;
    }

    private void awaitArrival(Flow flow) {
        requireOpen(flow.from());
        while (!flow.hasArrived()) {
            if (isLost(flow)) {
                actor().advanceTo(ranks.get(flow.from()).closedAt);
                throw lost(flow);
            }
            block(flow, flow);
            requireOpen(flow.from());
        }
    }

    /** Frames that were sent before the sender closed still come. */
    private boolean isLost(Flow flow) {
        return !flow.hasSent() && ranks.get(flow.from()).isClosed();
    }

    private ChannelFailed lost(Flow flow) {
        return failed(flow.from(), Reason.PEER_LOST, "one of the two has closed its channel");
    }

    private void block(@Nullable Flow flow, Object description) {
        Actor actor = actor();
        waiting = actor;
        awaited = flow;
        scheduler.block(actor, description);
    }

    @Override
    public int awaitAny() {
        requireOpen(anyAwaited().from());
        Actor actor = actor();
        while (true) {
            scheduler.catchUp(actor);
            requireOpen(anyAwaited().from());
            Flow filled = firstFilled();
            if (filled != null && filled.oldest().filledAt() <= actor.at) {
                return filled.from();
            }
            requireNoneLost();
            if (filled == null) {
                block(null, "a frame of any rank");
            } else {
                actor.advanceTo(filled.oldest().filledAt());
            }
        }
    }

    private Flow anyAwaited() {
        for (Flow flow : in) {
            if (flow != null && flow.isAwaited()) {
                return flow;
            }
        }
        throw new IllegalStateException(
                "rank %d awaits frames for which it has posted no room".formatted(rank));
    }

    private void requireNoneLost() {
        for (Flow flow : in) {
            if (flow != null && flow.isAwaited() && isLost(flow)) {
                throw lost(flow);
            }
        }
    }

    /** Whose oldest room that is not awaited yet was full first. */
    private @Nullable Flow firstFilled() {
        Flow first = null;
        for (Flow flow : in) {
            if (flow != null
                    && flow.isAwaited()
                    && flow.hasArrived()
                    && (first == null || flow.oldest().isFilledBefore(first.oldest()))) {
                first = flow;
            }
        }
        return first;
    }

    @Override
    public Received receiveAtMost(int from, MemorySegment room) {
        Flow flow = incoming(from);
        if (flow.isAwaited()) {
            throw new IllegalStateException(
                    "rank %d has posted other rooms for rank %d".formatted(rank, from));
        }
        flow.post(now(), room, 0, room.byteSize(), false);
        Frame frame = takeOldest(flow);
        return new Received(frame.content, frame.bytes);
    }

    @Override
    public void awaitSent(int to) {
        Flow flow = outgoing(to);
        requireOpen(to);
        actor().advanceTo(flow.sentAt());
    }

    @Override
    public void limit(int to, LinkLimits limits) {
        Flow flow = outgoing(to);
        if (flow.sentAt() > now()) {
            throw new IllegalStateException(
                    "rank %d has frames under way to rank %d".formatted(rank, to));
        }
        flow.limit(limits);
    }

    @Override
    public long bytesSent() {
        return bytesSent;
    }

    /** None: a cluster has one generation. */
    @Override
    public long staleFrames() {
        return 0;
    }

    @Override
    public void close() {
        Actor caller = scheduler.caller();
        if (caller == null) {
            scheduler.outside(() -> close(now(), "this channel is closed"));
        } else {
            scheduler.catchUp(caller);
            close(caller.at, "this channel is closed");
        }
    }

    /** By whoever has the turn. */
    void close(long at, String because) {
        if (isClosed()) {
            return;
        }
        closedAt = at;
        closedBecause = because;
        wakeIfWaiting(at);
        for (VirtualChannel peer : ranks) {
            if (peer.waitsFor(out[peer.rank])) {
                peer.wakeIfWaiting(at);
            }
        }
    }

    /** A frame of this rank's has reached it. */
    void arrive(Frame frame) {
        frame.flow.arrive(frame, framesArrived++);
        if (waitsFor(frame.flow)) {
            wakeIfWaiting(frame.arrivedAt);
        }
    }

    private boolean waitsFor(@Nullable Flow flow) {
        return awaited == null || awaited.equals(flow);
    }

    private void wakeIfWaiting(long at) {
        if (waiting != null) {
            Actor woken = waiting;
            waiting = null;
            scheduler.wake(woken, at);
        }
    }

    private boolean isClosed() {
        return closedBecause != null;
    }

    private Actor actor() {
        Actor actor = scheduler.caller();
        if (actor == null || actor.rank != rank) {
            throw new IllegalStateException(
                    "rank %d exchanges only in its body or background, while the cluster runs"
                            .formatted(rank));
        }
        return actor;
    }

    /** The caller's clock; outside of a run, the beginning. */
    private long now() {
        Actor actor = scheduler.caller();
        return actor == null ? 0 : actor.at;
    }

    private Flow outgoing(int to) {
        requirePeer(to);
        Flow flow = out[to];
        return flow == null ? connect(this, ranks.get(to)) : flow;
    }

    private Flow incoming(int from) {
        requirePeer(from);
        Flow flow = in[from];
        return flow == null ? connect(ranks.get(from), this) : flow;
    }

    private static Flow connect(VirtualChannel from, VirtualChannel to) {
        var flow =
                new Flow(
                        from.rank,
                        to,
                        from.links.speed(from.rank, to.rank),
                        from.egress,
                        to.ingress,
                        from.buffers);
        from.out[to.rank] = flow;
        to.in[from.rank] = flow;
        return flow;
    }

    private void requirePeer(int peer) {
        if (peer < 0 || peer >= out.length || peer == rank) {
            throw new IllegalArgumentException(
                    "the peer of rank %d must be another rank below %d, but was %d"
                            .formatted(rank, out.length, peer));
        }
    }

    private void requireOpen(int peer) {
        String because = closedBecause;
        if (because != null) {
            throw failed(peer, Reason.CLOSED, because);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw failed(peer, Reason.CLOSED, "interrupted");
        }
    }

    /** Closes, so that the failure reaches every rank that waits for this one. */
    private ChannelFailed failed(int peer, Reason reason, String text) {
        close();
        return new ChannelFailed(
                reason,
                "rank %d, in frame %d to and frame %d from rank %d: %s"
                        .formatted(
                                rank,
                                outgoing(peer).frameOut(),
                                incoming(peer).frameIn(),
                                peer,
                                text));
    }
}
