package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.collective.GroupChannel;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * All-reduces of hybrid parallelism: of outputs over the members of a group, and of gradients over
 * the ranks at one position of all groups. Sums over a single rank are skipped.
 */
public final class HybridSums {

    private final Instruments instruments;
    private final List<Integer> members;
    private final List<Integer> peers;
    private final AllReduce overMembers;
    private final AllReduce overPeers;
    private final long mostOutputs;

    /** Creates the all-reduces of a rank; all ranks do so at the same time. */
    public HybridSums(RankContext context, Grouping grouping) {
        this(context, context.instruments(), grouping);
    }

    HybridSums(RankContext context, Instruments instruments, Grouping grouping) {
        this.instruments = instruments;
        this.members = grouping.groups().get(grouping.groupOf(context.rank()));
        this.peers = grouping.at(grouping.positionOf(context.rank()));
        this.mostOutputs = outputs(context.plan(), members.getFirst());
        this.overMembers = allReduce(context, members, Math.max(mostOutputs, context.elements()));
        this.overPeers = allReduce(context, peers, context.elements());
    }

    /** Returns the outputs of the largest mini-batch of a group, given its first rank. */
    private static long outputs(TrainingPlan plan, int first) {
        int share = plan.division().shares().get(first);
        return (long) Math.ceilDiv(share, plan.division().rounds()) * plan.network().scores();
    }

    /** Returns the maximum number of floats that a group sums in a round. */
    long mostOutputs() {
        return mostOutputs;
    }

    private static AllReduce allReduce(RankContext context, List<Integer> ranks, long maxLength) {
        if (!(context.plan().method().topology()
                instanceof Topology.AllReduce(var algorithm, var _))) {
            throw new IllegalArgumentException(
                    "hybrid parallelism needs an all-reduce, but the topology is "
                            + context.plan().method().topology());
        }
        return AllReduces.of(
                algorithm,
                new GroupChannel(context.channel(), ranks),
                maxLength,
                context.time(),
                context.memory());
    }

    /** Replaces the members' parts with their sum. */
    public void inGroup(MemorySegment parts) {
        if (members.size() > 1) {
            overMembers.sum(parts);
            instruments.endExchange(TrafficKind.GRADIENT, members);
        }
    }

    /** Replaces the gradients of each layer with their sums over all groups. */
    public void overGroups(List<MemorySegment> gradients) {
        if (peers.size() > 1) {
            gradients.forEach(overPeers::sum);
            instruments.endExchange(TrafficKind.GRADIENT, peers);
        }
    }

    /**
     * Replaces the members' parts of the network's weights with their sum, outside of all rounds.
     */
    public void assemble(MemorySegment parts) {
        if (members.size() > 1) {
            overMembers.sum(parts);
            instruments.sent(TrafficKind.WEIGHTS);
        }
    }

    public int exchangesPerRound() {
        return (members.size() > 1 ? 1 : 0) + (peers.size() > 1 ? 1 : 0);
    }
}
