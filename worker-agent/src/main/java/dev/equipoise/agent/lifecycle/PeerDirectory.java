package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.PendingRendezvous;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.protocol.WorkerId;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;

/** Finds the workers of the lab, and reports those that leave. */
interface PeerDirectory {

    /** Returns the workers that are visible, this one included. */
    Set<WorkerId> sees();

    /** Returns where a visible worker claims to accept data connections. */
    Optional<InetSocketAddress> dataAddress(WorkerId worker);

    /**
     * Connects the ranks of a run through the directory itself.
     *
     * @throws ChannelFailed when ranks do not connect in time, the rendezvous loses one, or this
     *     worker is in no cluster
     */
    Channel channel(
            RankIdentity identity,
            List<WorkerId> peers,
            Timeouts timeouts,
            PendingRendezvous rendezvous)
            throws InterruptedException;

    /**
     * Watches these peers from now on, in place of earlier ones.
     *
     * @param action receives the index of each peer that leaves; any thread may call it
     */
    void whenOneLeaves(List<WorkerId> peers, IntConsumer action);

    /**
     * Watches these peers from now on, in place of earlier ones.
     *
     * @param action receives the index of each peer that is not visible, now or later; any thread
     *     may call it
     */
    void whenOneIsLost(List<WorkerId> peers, IntConsumer action);
}
