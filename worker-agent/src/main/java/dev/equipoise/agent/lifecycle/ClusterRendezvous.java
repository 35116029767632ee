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
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.WorkerId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Looks up the peers of a run in the cluster and connects to them over the channel of the plan. One
 * timeout bounds both, and a peer that leaves the cluster meanwhile ends the rendezvous at once. A
 * peer that was never visible may still be joining, so the others wait for it.
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
                            addresses(peers, rendezvous, chosen.connect()),
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
        return IntStream.range(0, peers.size())
                .filter(rank -> directory.dataAddress(peers.get(rank)).isEmpty())
                .boxed()
                .toList();
    }

    private List<InetSocketAddress> addresses(
            List<WorkerId> peers, PendingRendezvous rendezvous, Duration timeout)
            throws InterruptedException {
        while (true) {
            List<InetSocketAddress> known =
                    peers.stream().map(directory::dataAddress).flatMap(Optional::stream).toList();
            if (known.size() == peers.size()) {
                return known;
            }
            if (rendezvous.isOver()) {
                throw rendezvous.causeOr(missing(peers, timeout));
            }
            rendezvous.pause(PAUSE);
        }
    }

    private ChannelFailed missing(List<WorkerId> peers, Duration timeout) {
        return ChannelFailed.missing(
                "workers %s did not appear in the cluster within %d s"
                        .formatted(
                                peers.stream()
                                        .filter(peer -> directory.dataAddress(peer).isEmpty())
                                        .toList(),
                                timeout.toSeconds()));
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
