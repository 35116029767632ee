package dev.equipoise.app.schedule;

import dev.equipoise.app.schedule.SimulatedVote.Exchange;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rank of a method whose ranks train on without lost ones to the end of the epoch: gossip, and
 * asynchronous or stale-synchronous servers. A server serves until no replica trains any more; a
 * replica that loses a server stops at once.
 */
final class TolerantRank extends SimulatedRank {

    private final Set<Integer> lost = new TreeSet<>();

    /** Whether a rank receives only from the one before it in the ring. */
    private final boolean isOneWay;

    /** Rounds that a replica of stale-synchronous servers may be ahead when it begins one. */
    private final int bound;

    TolerantRank(SimulatedAgent agent, SimulatedLab lab, Assignment.Training part) {
        super(agent, lab, part);
        Method method = part.plan().method();
        this.isOneWay =
                method.topology() instanceof Topology.Gossip gossip
                        && gossip.mixing() == Topology.Mixing.PUSH_SUM;
        this.bound =
                method.synchronization() instanceof Synchronization.StaleSynchronous stale
                        ? stale.bound()
                        : Integer.MAX_VALUE;
    }

    @Override
    void trainRound() {
        lose();
        if (lost.stream().anyMatch(rank -> rank < servers())) {
            interrupt(missed());
        } else if (areNeighborsReady()) {
            step();
            if (round() == rounds()) {
                moveRecoveryPoint(weights());
            }
        }
    }

    /** Under gossip replicas that are not lost exchange in each round; else servers answer. */
    private boolean areNeighborsReady() {
        return servers() > 0
                ? isWithinBound()
                        && peers().stream()
                                .limit(servers())
                                .allMatch(it -> it.serves(part(), epoch()))
                : senders().allMatch(it -> it.hasSentFor(part(), steps()) || it.hasVoted(moment()));
    }

    /** Whether each remaining replica is within the bound; all begin an epoch together. */
    private boolean isWithinBound() {
        return round() <= bound
                || remaining().allMatch(it -> it.hasReached(part(), steps() - bound));
    }

    /** The agents of the remaining replicas whose weights it receives in a round. */
    private Stream<SimulatedAgent> senders() {
        List<SimulatedAgent> peers = peers();
        SimulatedAgent previous = peers.get(Math.floorMod(part().rank() - 1, peers.size()));
        return remaining().filter(it -> !isOneWay || it.equals(previous));
    }

    /** Replicas that servers answer end an epoch with the weights of the servers. */
    private String weights() {
        return "weights " + steps() + (servers() > 0 ? "" : " of " + agent());
    }

    /** The agents of the other replicas that are not lost. */
    private Stream<SimulatedAgent> remaining() {
        List<SimulatedAgent> peers = peers();
        return IntStream.range(servers(), peers.size())
                .filter(rank -> rank != part().rank() && !lost.contains(rank))
                .mapToObj(peers::get);
    }

    /** Adds ranks that have left the cluster, or whose channel is closed, to the lost ones. */
    private void lose() {
        List<SimulatedAgent> peers = peers();
        for (int rank = 0; rank < peers.size(); rank++) {
            SimulatedAgent peer = peers.get(rank);
            if (rank != part().rank()
                    && !peer.hasVoted(moment())
                    && (!agent().sees(peer) || peer.hasLeft(part()))) {
                lost.add(rank);
            }
        }
    }

    /** Whether the rank treats another one as lost, which closes the channel between the two. */
    boolean hasLost(int rank) {
        return lost.contains(rank);
    }

    /** A rank that has lost another stops before it exchanges figures. */
    @Override
    boolean mayVote() {
        lose();
        if (isServer() && exchange() == Exchange.FIGURES) {
            if (!remaining().allMatch(it -> it.hasVoted(moment()))) {
                return false;
            }
            moveRecoveryPoint(weights());
        }
        if (!lost.isEmpty()) {
            interrupt(missed());
            return false;
        }
        return true;
    }

    @Override
    void awaitVotes() {
        lose();
        if (!lost.isEmpty()) {
            interrupt(missed());
        }
    }

    /** The lost ranks that are unreachable; a suspended rank is lost to this epoch only. */
    private List<Integer> missed() {
        List<SimulatedAgent> peers = peers();
        return lost.stream().filter(rank -> !agent().sees(peers.get(rank))).toList();
    }

    @Override
    boolean hasRecoveryPoint() {
        return true;
    }
}
