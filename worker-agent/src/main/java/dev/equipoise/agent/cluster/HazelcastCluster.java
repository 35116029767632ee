package dev.equipoise.agent.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.RunGroup;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agents of a lab that see one another. Carries who is a member, each member's worker id and
 * each member's data address; and the bytes of those runs that ask for it, see {@link #channel}.
 *
 * <p>Hazelcast's Community edition authenticates nobody: whoever reaches the port can join under
 * any name, so nothing that is read here is trusted. Who owns which run is decided by the service,
 * whose assignments name the workers and carry the run's key; a peer proves on the data socket that
 * it holds that key. What a false member says can cost a handshake that fails or a wait, but never
 * brings it into an exchange. Under the id of a worker it can hide that the worker's member is
 * gone, which the data sockets then show; by leaving it takes nobody else's member away, provided
 * that whoever hears of the loss looks at {@link #workers()} first.
 *
 * <p>A false member can also hurt Hazelcast itself, and have it instantiate classes of the class
 * path in ways that the filter on Java serialization does not cover. The port therefore belongs
 * inside the lab's network.
 */
public final class HazelcastCluster implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HazelcastCluster.class);
    private static final int FREE_PORT_ATTEMPTS = 5;

    private final HazelcastInstance hazelcast;
    private final HazelcastStreams streams;

    private HazelcastCluster(HazelcastInstance hazelcast, HazelcastStreams streams) {
        this.hazelcast = hazelcast;
        this.streams = streams;
    }

    /**
     * Joins the members that answer at the seeds, or begins a cluster alone. Takes seconds. Members
     * that start at once can begin two clusters; these find each other and merge in the background.
     */
    public static HazelcastCluster join(ClusterSettings settings) {
        if (settings.port() != 0) {
            return joinAt(settings, settings.port());
        }
        return joinAtFreePort(settings, FREE_PORT_ATTEMPTS);
    }

    /** Not after {@link #close()}, nor after Hazelcast has given up by itself. */
    public boolean isRunning() {
        return hazelcast.getLifecycleService().isRunning();
    }

    /** Where other members find this one, as {@code host:port}. */
    public String address() {
        return HazelcastConfiguration.write(local().getSocketAddress());
    }

    /** The worker ids of all members seen now, this one included. */
    public Set<String> workers() {
        return members().stream()
                .flatMap(member -> workerOf(member).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Where a worker claims to accept data connections. A worker that has come back while its
     * former self has not been given up yet is found at its new address.
     */
    public Optional<InetSocketAddress> dataAddress(String worker) {
        return members().reversed().stream()
                .filter(member -> workerOf(member).filter(worker::equals).isPresent())
                .findFirst()
                .map(member -> member.getAttribute(HazelcastConfiguration.DATA))
                .flatMap(HostAndPort::parse)
                .map(HostAndPort::toSocketAddress);
    }

    /**
     * Joins the ranks of a run through Hazelcast itself, which is slower than sockets of one's own:
     * the baseline. Returns when all ranks are there.
     *
     * @param workers by rank, this one included
     * @throws ChannelFailed when they are not all there in time
     */
    public Channel channel(RunGroup group, List<String> workers, Timeouts timeouts, Time time)
            throws InterruptedException {
        return new HazelcastMeeting(streams, this::addressOf, group, workers, time).meet(timeouts);
    }

    private Optional<Address> addressOf(String worker) {
        return members().reversed().stream()
                .filter(member -> workerOf(member).filter(worker::equals).isPresent())
                .findFirst()
                .map(Member::getAddress);
    }

    /**
     * Tells of every worker whose member leaves or is given up. Another member may still carry the
     * same id, a false one or the worker's own new one: see {@link #workers()}. The consumer is
     * called on a thread of Hazelcast and must return soon.
     */
    public Registration onWorkerLost(Consumer<String> consumer) {
        UUID id = hazelcast.getCluster().addMembershipListener(new LostWorkers(consumer));
        return () -> hazelcast.getCluster().removeMembershipListener(id);
    }

    /** Leaves, so that the others need not wait for a missing heartbeat. */
    @Override
    public void close() {
        hazelcast.shutdown();
    }

    /** What was registered until it is closed. */
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    private static HazelcastCluster joinAt(ClusterSettings settings, int port) {
        var streams = new HazelcastStreams();
        return new HazelcastCluster(
                Hazelcast.newHazelcastInstance(HazelcastConfiguration.of(settings, port, streams)),
                streams);
    }

    /** Someone else may take the port between looking for it and listening on it. */
    private static HazelcastCluster joinAtFreePort(ClusterSettings settings, int attempts) {
        int port = freePort(settings.host());
        try {
            return joinAt(settings, port);
        } catch (HazelcastException e) {
            if (attempts == 1) {
                throw e;
            }
            log.info("cluster-port-taken port={} reason={}", port, e.getMessage());
            return joinAtFreePort(settings, attempts - 1);
        }
    }

    private static int freePort(String host) {
        try (var socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on " + host, e);
        }
    }

    private Member local() {
        return hazelcast.getCluster().getLocalMember();
    }

    /** Oldest first. */
    private List<Member> members() {
        return List.copyOf(hazelcast.getCluster().getMembers());
    }

    private static Optional<String> workerOf(Member member) {
        return Optional.ofNullable(member.getAttribute(HazelcastConfiguration.WORKER));
    }

    private record LostWorkers(Consumer<String> consumer) implements MembershipListener {

        @Override
        public void memberAdded(MembershipEvent event) {
            // Whoever waits for a worker asks for it.
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            workerOf(event.getMember()).ifPresent(consumer);
        }
    }
}
