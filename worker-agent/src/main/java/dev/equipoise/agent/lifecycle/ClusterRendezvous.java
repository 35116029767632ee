package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.DataServer;
import dev.equipoise.agent.channel.DirectChannel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.PendingRendezvous;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.Rendezvous;
import dev.equipoise.agent.channel.RunKey;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.cluster.HostAndPort;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.WorkerId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Waits until the peers of a run are in the cluster and connects to them over the channel of the
 * plan. The service names their data addresses; what members of the cluster claim counts only if it
 * does not, as services and agents of the version before. One timeout bounds the whole, and a peer
 * that leaves the cluster meanwhile ends the rendezvous at once. A peer that was never visible may
 * still be joining, so the others wait for it.
 */
final class ClusterRendezvous implements Rendezvous {

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final DataServer server;
    private final PeerDirectory directory;
    private final AgentTimeouts timeouts;
    private final Time time;

    ClusterRendezvous(
            DataServer server, PeerDirectory directory, AgentTimeouts timeouts, Time time) {
        this.server = server;
        this.directory = directory;
        this.timeouts = timeouts;
        this.time = time;
    }

    @Override
    public Channel meet(Assignment.Joint assignment) throws InterruptedException {
        Channel channel = connect(assignment, timeouts(assignment));
        try {
            directory.whenOneIsLost(assignment.peers(), channel::lose);
            LinkLimits.shape(channel, assignment.limits());
            return channel;
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private Channel connect(Assignment.Joint assignment, Timeouts chosen)
            throws InterruptedException {
        List<WorkerId> peers = assignment.peers();
        var rendezvous = new PendingRendezvous(chosen.connect(), time);
        directory.whenOneLeaves(peers, rendezvous::lose);
        return switch (assignment.channel()) {
            case DIRECT ->
                    DirectChannel.connect(
                            server,
                            identity(assignment),
                            addresses(assignment, rendezvous, chosen.connect()),
                            chosen,
                            rendezvous);
            case HAZELCAST -> directory.channel(identity(assignment), peers, chosen, rendezvous);
        };
    }

    private Timeouts timeouts(Assignment.Joint assignment) {
        return assignment instanceof Assignment.Training training && training.continuation() != null
                ? timeouts.ofReconfiguration()
                : timeouts.ofMeeting();
    }

    @Override
    public List<Integer> missing(Assignment.Joint assignment) {
        List<WorkerId> peers = assignment.peers();
        Set<WorkerId> seen = directory.sees();
        return IntStream.range(0, peers.size())
                .filter(rank -> !seen.contains(peers.get(rank)))
                .boxed()
                .toList();
    }

    private List<InetSocketAddress> addresses(
            Assignment.Joint assignment, PendingRendezvous rendezvous, Duration timeout)
            throws InterruptedException {
        while (true) {
            List<InetSocketAddress> known = knownAddresses(assignment);
            if (known.size() == assignment.peers().size()) {
                return known;
            }
            if (rendezvous.isOver()) {
                throw rendezvous.causeOr(missing(assignment, timeout));
            }
            rendezvous.pause(PAUSE);
        }
    }

    /** Returns the data addresses of the peers that are in the cluster. */
    private List<InetSocketAddress> knownAddresses(Assignment.Joint assignment) {
        List<WorkerId> peers = assignment.peers();
        List<String> named = assignment.addresses();
        Set<WorkerId> seen = directory.sees();
        return IntStream.range(0, peers.size())
                .filter(rank -> seen.contains(peers.get(rank)))
                .mapToObj(rank ->
                        named == null
                                ? directory.dataAddress(peers.get(rank))
                                : HostAndPort.parse(named.get(rank))
                                        .map(HostAndPort::toSocketAddress))
                .flatMap(Optional::stream)
                .toList();
    }

    private ChannelFailed missing(Assignment.Joint assignment, Duration timeout) {
        return ChannelFailed.missing(
                "workers %s did not appear in the cluster within %d s"
                        .formatted(
                                missing(assignment).stream()
                                        .map(rank -> described(assignment, rank))
                                        .toList(),
                                timeout.toSeconds()));
    }

    /** Returns the id of a peer, with the address that the service names. */
    private static String described(Assignment.Joint assignment, int rank) {
        WorkerId worker = assignment.peers().get(rank);
        List<String> named = assignment.addresses();
        return named == null ? worker.toString() : "%s at %s".formatted(worker, named.get(rank));
    }

    private static RankIdentity identity(Assignment.Joint assignment) {
        return new RankIdentity(
                assignment.meeting(),
                assignment.generation(),
                assignment.rank(),
                assignment.peers().size(),
                new RunKey(Base64.getDecoder().decode(assignment.key())));
    }
}
