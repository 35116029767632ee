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
import dev.equipoise.agent.channel.PendingRendezvous;
import dev.equipoise.agent.channel.RankIdentity;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Hazelcast cluster of the agents of a lab. It carries the membership, the worker id and the
 * data address of each member, and the bytes of those runs that request it, see {@link #channel}.
 *
 * <p>Hazelcast's Community edition does not authenticate members: any process that reaches the port
 * and knows the cluster name can join under any worker id, so nothing that is read here is trusted.
 * The service decides which worker takes part in which run; its assignments name the workers with
 * their data addresses and carry the run key, and a peer proves on the data socket that it holds
 * that key. A false member can cause a failed handshake or a wait, but it never takes part in an
 * exchange. Under the id of a worker it can hide that the worker's member is gone, which the data
 * sockets then reveal. By leaving it removes no other member, provided that the listener for lost
 * workers checks {@link #workers()} first.
 *
 * <p>A false member can also harm Hazelcast itself, and have it instantiate classes of the class
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
     * Joins the members that answer at the seeds, or starts a new cluster. Takes seconds. Members
     * that start at the same time can form two clusters; these find each other and merge in the
     * background.
     */
    public static HazelcastCluster join(ClusterSettings settings) {
        if (settings.port() != 0) {
            return joinAt(settings, settings.port());
        }
        return joinAtFreePort(settings, FREE_PORT_ATTEMPTS);
    }

    /** Returns false after {@link #close()} and after Hazelcast has terminated by itself. */
    public boolean isRunning() {
        return hazelcast.getLifecycleService().isRunning();
    }

    /** The address of this member, as {@code host:port}. */
    public String address() {
        return HazelcastConfiguration.write(local().getSocketAddress());
    }

    /** The worker ids of all visible members, including this one. */
    public Set<String> workers() {
        return members().stream()
                .flatMap(member -> workerOf(member).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the address at which a worker claims to accept data connections, for services that do
     * not hand out addresses. The oldest member of a worker counts, so that a later one under its
     * id changes nothing; an agent that rejoins keeps its data address.
     */
    public Optional<InetSocketAddress> dataAddress(String worker) {
        return membersOf(worker)
                .findFirst()
                .map(member -> member.getAttribute(HazelcastConfiguration.DATA))
                .flatMap(HostAndPort::parse)
                .map(HostAndPort::toSocketAddress);
    }

    /**
     * Connects the ranks of a run through Hazelcast itself, as a baseline that is slower than
     * direct sockets. Returns when all ranks are connected.
     *
     * @param workers the worker ids by rank, this one included
     * @throws ChannelFailed when a rank does not connect in time
     */
    public Channel channel(
            RankIdentity identity, List<String> workers, Timeouts timeouts, Time time)
            throws InterruptedException {
        return channel(
                identity, workers, timeouts, new PendingRendezvous(timeouts.connect(), time));
    }

    /**
     * Connects the ranks of a run like {@link #channel(RankIdentity, List, Timeouts, Time)}, until
     * the deadline of a rendezvous that is under way.
     *
     * @throws ChannelFailed also when the rendezvous loses a rank
     */
    public Channel channel(
            RankIdentity identity,
            List<String> workers,
            Timeouts timeouts,
            PendingRendezvous rendezvous)
            throws InterruptedException {
        return new HazelcastRendezvous(streams, this::addressesOf, identity, workers, rendezvous)
                .meet(timeouts);
    }

    /**
     * Returns the addresses of all members under the id of a worker, newest first: the former
     * member of a worker that has rejoined may not have been removed yet, and others may be false.
     */
    List<Address> addressesOf(String worker) {
        return membersOf(worker).map(Member::getAddress).toList().reversed();
    }

    /** The members under the id of a worker, oldest first. */
    private Stream<Member> membersOf(String worker) {
        return members().stream()
                .filter(member -> workerOf(member).filter(worker::equals).isPresent());
    }

    /**
     * Calls the consumer for every worker whose member leaves or is removed. Another member may
     * still carry the same id, either a false one or the worker's own new one: see {@link
     * #workers()}. The consumer is called on a Hazelcast thread and must return soon.
     */
    public Registration onWorkerLost(Consumer<String> consumer) {
        UUID id = hazelcast.getCluster().addMembershipListener(new LostWorkers(consumer));
        return () -> hazelcast.getCluster().removeMembershipListener(id);
    }

    /** Leaves the cluster, so that the others do not wait for a missing heartbeat. */
    @Override
    public void close() {
        hazelcast.shutdown();
    }

    /** A registered listener; closing it ends the registration. */
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

    /** Retries, since another process may take the port between the search and the bind. */
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
            throw new UncheckedIOException(
                    "cannot find a free port on "
                            + host
                            + "; check that it is an address of this machine",
                    e);
        }
    }

    private Member local() {
        return hazelcast.getCluster().getLocalMember();
    }

    /** The members, oldest first. */
    private List<Member> members() {
        return List.copyOf(hazelcast.getCluster().getMembers());
    }

    private static Optional<String> workerOf(Member member) {
        return Optional.ofNullable(member.getAttribute(HazelcastConfiguration.WORKER));
    }

    private record LostWorkers(Consumer<String> consumer) implements MembershipListener {

        @Override
        public void memberAdded(MembershipEvent event) {
            // A thread that waits for a worker polls workers().
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            workerOf(event.getMember()).ifPresent(consumer);
        }
    }
}
