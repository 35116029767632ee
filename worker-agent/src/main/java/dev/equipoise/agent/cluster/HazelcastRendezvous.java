package dev.equipoise.agent.cluster;

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
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/** Opens a stream to every other rank of a run and waits until all have done the same. */
final class HazelcastRendezvous {

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(20);

    private final HazelcastStreams streams;
    private final Function<String, Optional<Address>> addresses;
    private final RankIdentity identity;
    private final List<String> workers;
    private final PendingRendezvous rendezvous;
    private final ThreadWaker waker = new ThreadWaker();
    private final Map<Integer, HazelcastPipe> pipes = new TreeMap<>();

    HazelcastRendezvous(
            HazelcastStreams streams,
            Function<String, Optional<Address>> addresses,
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
                    pipes.put(
                            peer,
                            new HazelcastPipe(streams, address(peer), identity, peer, waker));
                }
            }
            for (int peer : pipes.keySet()) {
                awaitAnswer(peer, address(peer));
            }
            return PipeChannel.over(identity, pipes, waker, timeouts);
        } catch (ChannelFailed | InterruptedException e) {
            pipes.values().forEach(HazelcastPipe::close);
            throw e;
        } catch (HazelcastInstanceNotActiveException e) {
            throw ChannelFailed.missing("this agent has left the cluster: " + e.getMessage());
        }
    }

    private Address address(int peer) throws InterruptedException {
        while (true) {
            Optional<Address> address = addresses.apply(workers.get(peer));
            if (address.filter(streams::isThisMember).isPresent()) {
                throw ChannelFailed.missing(
                        ("rank %d of run %s: rank %d is on the same worker, which Hazelcast"
                                        + " channels do not support; use channel: direct")
                                .formatted(identity.rank(), identity.run(), peer));
            }
            if (address.isPresent()) {
                return address.get();
            }
            pauseUnlessOver(peer, "is not in the cluster");
        }
    }

    private void awaitAnswer(int peer, Address address) throws InterruptedException {
        UUID publicName = identity.publicName(identity.rank(), peer);
        HazelcastStreams.Prover expected =
                (nonce, at) -> identity.answer(identity.rank(), peer, nonce, at);
        while (!streams.answers(publicName, expected, address, ANSWER_TIMEOUT)) {
            pauseUnlessOver(peer, "does not answer");
        }
    }

    private void pauseUnlessOver(int peer, String what) throws InterruptedException {
        if (rendezvous.isOver()) {
            throw rendezvous.causeOr(
                    ChannelFailed.missing(
                            "rank %d of run %s: rank %d, worker %s, %s"
                                    .formatted(
                                            identity.rank(),
                                            identity.run(),
                                            peer,
                                            workers.get(peer),
                                            what)));
        }
        rendezvous.pause(RETRY_INTERVAL);
    }
}
