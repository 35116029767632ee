package dev.equipoise.agent.cluster;

import static java.util.Objects.requireNonNull;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.PendingRendezvous;
import dev.equipoise.agent.channel.PipeChannel;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.ThreadWaker;
import dev.equipoise.agent.channel.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * Opens a stream to every other rank of a run and waits until all have done the same. Several
 * members may claim the worker of a peer; the one that proves it gets the stream.
 */
final class HazelcastRendezvous {

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(20);

    private final HazelcastStreams streams;
    private final Function<String, List<Address>> addresses;
    private final RankIdentity identity;
    private final List<String> workers;
    private final PendingRendezvous rendezvous;
    private final ThreadWaker waker = new ThreadWaker();
    private final Map<Integer, HazelcastPipe> pipes = new TreeMap<>();

    HazelcastRendezvous(
            HazelcastStreams streams,
            Function<String, List<Address>> addresses,
            RankIdentity identity,
            List<String> workers,
            PendingRendezvous rendezvous) {
        this.streams = streams;
        this.addresses = addresses;
        this.identity = identity;
        this.workers = workers;
        this.rendezvous = rendezvous;
    }

    Channel meet(Timeouts timeouts) throws InterruptedException {
        try {
            for (int peer = 0; peer < identity.size(); peer++) {
                if (peer != identity.rank()) {
                    pipes.put(peer, new HazelcastPipe(streams, identity, peer, waker));
                }
            }
            connectAll();
            return PipeChannel.over(identity, pipes, waker, timeouts);
        } catch (ChannelFailed | InterruptedException e) {
            pipes.values().forEach(HazelcastPipe::close);
            throw e;
        } catch (HazelcastInstanceNotActiveException e) {
            throw ChannelFailed.missing("this agent has left the cluster: " + e.getMessage());
        }
    }

    /**
     * Connects the peers in the order in which they answer, so that after a failure all that have
     * answered learn that this rank has given up.
     */
    private void connectAll() throws InterruptedException {
        SortedSet<Integer> waiting = new TreeSet<>(pipes.keySet());
        while (true) {
            for (int peer : List.copyOf(waiting)) {
                if (!rendezvous.isOver() && connects(peer)) {
                    waiting.remove(peer);
                }
            }
            if (waiting.isEmpty()) {
                return;
            }
            pauseUnlessOver(waiting.first());
        }
    }

    /** Connects a peer if a member under the id of its worker proves that it is the peer. */
    private boolean connects(int peer) throws InterruptedException {
        for (Address member : members(peer)) {
            if (proves(peer, member)) {
                requireNonNull(pipes.get(peer)).connect(member);
                return true;
            }
        }
        return false;
    }

    private List<Address> members(int peer) {
        List<Address> members = addresses.apply(workers.get(peer));
        if (members.stream().anyMatch(streams::isThisMember)) {
            throw ChannelFailed.missing(
                    ("rank %d of run %s: rank %d is on the same worker, which Hazelcast channels do"
                                    + " not support; use channel: direct")
                            .formatted(identity.rank(), identity.run(), peer));
        }
        return members;
    }

    private boolean proves(int peer, Address member) throws InterruptedException {
        UUID publicName = identity.publicName(identity.rank(), peer);
        HazelcastStreams.Prover expected =
                (nonce, at) -> identity.answer(identity.rank(), peer, nonce, at);
        return streams.answers(publicName, expected, member, ANSWER_TIMEOUT);
    }

    private void pauseUnlessOver(int peer) throws InterruptedException {
        if (rendezvous.isOver()) {
            throw rendezvous.causeOr(
                    ChannelFailed.missing(
                            "rank %d of run %s: rank %d, worker %s, %s"
                                    .formatted(
                                            identity.rank(),
                                            identity.run(),
                                            peer,
                                            workers.get(peer),
                                            members(peer).isEmpty()
                                                    ? "is not in the cluster"
                                                    : "does not answer")));
        }
        rendezvous.pause(RETRY_INTERVAL);
    }
}
