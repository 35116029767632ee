package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.channel.ChannelPreconditions;
import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a rank in a virtual cluster. Its actors call it one at a time; any thread may
 * close it.
 */
final class VirtualChannel implements Channel {

    /** With this many untaken frames, a sender waits until the receiver's clock has caught up. */
    private static final int MAX_UNTAKEN = 64;

    private final int rank;
    private final List<VirtualChannel> ranks;
    private final LinkModel links;
    private final ActorScheduler scheduler;
    private final Buffers buffers;
    private final @Nullable Flow[] out;
    private final Inbox inbox;
    private final Port egress = new Port();
    private long framesSent;
    private long bytesSent;
    private volatile @Nullable String closedBecause;
    private long closedAt;

    /**
     * @param ranks the channels of all ranks, in order; complete when the first frame is sent
     */
    VirtualChannel(
            int rank,
            int size,
            List<VirtualChannel> ranks,
            LinkModel links,
            ActorScheduler scheduler,
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
    public void send(int to, PayloadType content, MemorySegment memory, long offset, long bytes) {
        ChannelPreconditions.requireBounds(memory, offset, bytes);
        Flow flow = outgoing(to);
        requireOpen(to);
        VirtualChannel receiver = ranks.get(to);
        if (receiver.isClosed() && receiver.closedAt <= now()) {
            throw failed(to, Reason.PEER_LOST, "the peer or this rank has closed its channel");
        }
        Actor actor = actor();
        if (flow.untaken() >= MAX_UNTAKEN) {
            scheduler.catchUp(actor);
        }
        bytesSent += FrameHeader.BYTES + bytes;
        scheduler.expect(flow.send(actor.at, framesSent++, content, memory, offset, bytes));
    }

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {
        ChannelPreconditions.requireBounds(memory, offset, bytes);
        incoming(from).post(now(), memory, offset, bytes, true);
    }

    @Override
    public void awaitReceived(int from) {
        Flow flow = incoming(from);
        ChannelPreconditions.requirePosted(flow.isAwaited(), rank, from);
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
        return failed(
                flow.from(), Reason.PEER_LOST, "the peer or this rank has closed its channel");
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
    public Received receiveAtMost(int from, MemorySegment buffer) {
        Flow flow = incoming(from);
        ChannelPreconditions.requireNotPosted(flow.isAwaited(), rank, from);
        flow.post(now(), buffer, 0, buffer.byteSize(), false);
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
        ChannelPreconditions.requireSent(flow.sentAt() <= now(), rank, to);
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

    /** Always 0: a virtual cluster has one generation. */
    @Override
    public long staleFrames() {
        return 0;
    }

    @Override
    public void close() {
        Actor caller = scheduler.caller();
        if (caller == null) {
            scheduler.runExternally(() -> close(scheduler.now(), "this channel is closed"));
        } else {
            scheduler.catchUp(caller);
            close(caller.at, "this channel is closed");
        }
    }

    /** Closes the channel; called by the actor in control. */
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

    /** The clock of the caller, in nanoseconds; between runs, the time of the last event. */
    private long now() {
        return scheduler.isRunning() ? actor().at : scheduler.now();
    }

    private Flow outgoing(int to) {
        ChannelPreconditions.requirePeer(rank, out.length, to);
        Flow flow = out[to];
        return flow == null ? connect(this, ranks.get(to)) : flow;
    }

    private Flow incoming(int from) {
        ChannelPreconditions.requirePeer(rank, out.length, from);
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

    private void requireOpen(int peer) {
        String because = closedBecause;
        if (because != null) {
            throw failed(peer, Reason.CLOSED, because);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw failed(peer, Reason.CLOSED, "interrupted");
        }
    }

    /** Closes this channel, so that the failure reaches every rank that waits for this one. */
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
