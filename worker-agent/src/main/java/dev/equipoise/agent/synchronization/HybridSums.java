package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.collective.GroupChannel;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The sums of a run whose ranks share hidden units: of outputs over the members of a group, and of
 * gradients over the ranks at one position of all groups. A sum over one rank is none, and is not
 * noted.
 */
public final class HybridSums {

    private final Instruments instruments;
    private final List<Integer> members;
    private final List<Integer> peers;
    private final AllReduce overMembers;
    private final AllReduce overPeers;
    private final long mostOutputs;

    /** For the participant's rank; all ranks make theirs at once. */
    public HybridSums(Participant participant, Grouping grouping) {
        this(participant, participant.instruments(), grouping);
    }

    HybridSums(Participant participant, Instruments instruments, Grouping grouping) {
        this.instruments = instruments;
        this.members = grouping.groups().get(grouping.groupOf(participant.rank()));
        this.peers = grouping.at(grouping.positionOf(participant.rank()));
        this.mostOutputs = outputs(participant.plan(), members.getFirst());
        this.overMembers =
                allReduce(participant, members, Math.max(mostOutputs, participant.elements()));
        this.overPeers = allReduce(participant, peers, participant.elements());
    }

    /** Of the largest mini-batch of a group, by its first rank. */
    private static long outputs(TrainingPlan plan, int first) {
        int share = plan.division().shares().get(first);
        return (long) Math.ceilDiv(share, plan.division().rounds()) * plan.network().scores();
    }

    /** Floats that a group sums in a round at most. */
    long mostOutputs() {
        return mostOutputs;
    }

    private static AllReduce allReduce(Participant participant, List<Integer> ranks, long most) {
        if (!(participant.plan().method().topology()
                instanceof Topology.AllReduce(var algorithm, var _))) {
            throw new IllegalArgumentException(
                    "hidden units are shared over an all-reduce, not over "
                            + participant.plan().method().topology());
        }
        return AllReduces.of(
                algorithm,
                new GroupChannel(participant.channel(), ranks),
                most,
                participant.time(),
                participant.memory());
    }

    /** Replaces the members' parts by their sum. */
    public void inGroup(MemorySegment parts) {
        if (members.size() > 1) {
            overMembers.sum(parts);
            instruments.endExchange(Kind.GRADIENT, members);
        }
    }

    /** Replaces the gradients of each layer by their sum over all groups. */
    public void overGroups(List<MemorySegment> gradients) {
        if (peers.size() > 1) {
            gradients.forEach(overPeers::sum);
            instruments.endExchange(Kind.GRADIENT, peers);
        }
    }

    /** Replaces the members' parts of the whole network by their sum; no part of a round. */
    public void assemble(MemorySegment parts) {
        if (members.size() > 1) {
            overMembers.sum(parts);
            instruments.sent(Kind.WEIGHTS);
        }
    }

    public int exchangesPerRound() {
        return (members.size() > 1 ? 1 : 0) + (peers.size() > 1 ? 1 : 0);
    }
}
