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
    private final Inbox inbox;
    private final Port egress = new Port();
    private long framesSent;
    private long bytesSent;
    private volatile @Nullable String closedBecause;
    private long closedAt;

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
        this.inbox = new Inbox(rank, size, scheduler);
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
            if (flow.isLost()) {
                throw lost(flow);
            }
            inbox.await(actor(), flow);
            requireOpen(flow.from());
        }
    }

    private ChannelFailed lost(Flow flow) {
        actor().advanceTo(flow.closedAt());
        return failed(flow.from(), Reason.PEER_LOST, "one of the two has closed its channel");
    }

    @Override
    public int awaitAny() {
        requireOpen(inbox.anyAwaited().from());
        Actor actor = actor();
        while (true) {
            scheduler.catchUp(actor);
            requireOpen(inbox.anyAwaited().from());
            Flow filled = inbox.firstFilled();
            if (filled != null && filled.oldest().filledAt() <= actor.at) {
                return filled.from();
            }
            Flow lost = inbox.anyLost();
            if (lost != null) {
                throw lost(lost);
            }
            if (filled == null) {
                inbox.await(actor, null);
            } else {
                actor.advanceTo(filled.oldest().filledAt());
            }
        }
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
    public long framesSent() {
        return framesSent;
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
            scheduler.outside(() -> close(scheduler.now(), "this channel is closed"));
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
        inbox.wake(at);
        for (VirtualChannel peer : ranks) {
            peer.inbox.wake(out[peer.rank], at);
        }
    }

    boolean isClosed() {
        return closedBecause != null;
    }

    long closedAt() {
        return closedAt;
    }

    Inbox inbox() {
        return inbox;
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

    /** The caller's clock; between runs, that of the last one. */
    private long now() {
        return scheduler.isRunning() ? actor().at : scheduler.now();
    }

    private Flow outgoing(int to) {
        requirePeer(to);
        Flow flow = out[to];
        return flow == null ? connect(this, ranks.get(to)) : flow;
    }

    private Flow incoming(int from) {
        requirePeer(from);
        Flow flow = inbox.from(from);
        return flow == null ? connect(ranks.get(from), this) : flow;
    }

    private static Flow connect(VirtualChannel from, VirtualChannel to) {
        LinkSpeed speed = from.links.speed(from.rank, to.rank);
        var flow = new Flow(from, to, speed, from.egress, from.buffers);
        from.out[to.rank] = flow;
        to.inbox.add(flow);
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
