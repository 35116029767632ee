package dev.equipoise.agent.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import dev.equipoise.agent.channel.Bell;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.PipeChannel;
import dev.equipoise.agent.channel.RunGroup;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/** Opens a stream to every other rank of a run and waits until they have done the same. */
final class HazelcastMeeting {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final HazelcastStreams streams;
    private final Function<String, Optional<Address>> addresses;
    private final RunGroup group;
    private final List<String> workers;
    private final Time time;
    private final Bell bell = new Bell();
    private final Map<Integer, HazelcastPipe> pipes = new TreeMap<>();

    HazelcastMeeting(
            HazelcastStreams streams,
            Function<String, Optional<Address>> addresses,
            RunGroup group,
            List<String> workers,
            Time time) {
        this.streams = streams;
        this.addresses = addresses;
        this.group = group;
        this.workers = workers;
        this.time = time;
    }

    Channel meet(Timeouts timeouts) throws InterruptedException {
        long end = time.nanoTime() + timeouts.connect().toNanos();
        try {
            for (int peer = 0; peer < group.size(); peer++) {
                if (peer != group.rank()) {
                    pipes.put(
                            peer,
                            new HazelcastPipe(streams, address(peer, end), group, peer, bell));
                }
            }
            for (int peer : pipes.keySet()) {
                awaitAnswer(peer, address(peer, end), end);
            }
            return PipeChannel.over(group, pipes, bell, timeouts);
        } catch (ChannelFailed | InterruptedException e) {
            pipes.values().forEach(HazelcastPipe::close);
            throw e;
        } catch (HazelcastInstanceNotActiveException e) {
            throw ChannelFailed.missing("this worker has left the cluster: " + e.getMessage());
        }
    }

    private Address address(int peer, long end) throws InterruptedException {
        while (true) {
            Optional<Address> address = addresses.apply(workers.get(peer));
            if (address.filter(streams::isThisMember).isPresent()) {
                throw ChannelFailed.missing(
                        "rank %d of run %s: rank %d is on this very worker, to which Hazelcast sends nothing"
                                .formatted(group.rank(), group.run(), peer));
            }
            if (address.isPresent()) {
                return address.get();
            }
            pauseUnless(end, peer, "is not in the cluster");
        }
    }

    private void awaitAnswer(int peer, Address address, long end) throws InterruptedException {
        UUID door = group.door(group.rank(), peer);
        HazelcastStreams.Door expected = (nonce, at) -> group.answer(group.rank(), peer, nonce, at);
        while (!streams.answers(door, expected, address, PATIENCE)) {
            pauseUnless(end, peer, "does not answer");
        }
    }

    private void pauseUnless(long end, int peer, String what) throws InterruptedException {
        if (time.nanoTime() > end) {
            throw ChannelFailed.missing(
                    "rank %d of run %s: rank %d, worker %s, %s"
                            .formatted(group.rank(), group.run(), peer, workers.get(peer), what));
        }
        time.sleep(PAUSE.toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException("waiting for peers");
        }
    }
}
