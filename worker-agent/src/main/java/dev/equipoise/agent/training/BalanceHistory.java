package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.performance.partition.Balance;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Dynamic shares in the rank state: those of the next epoch with the observed speeds, and those of
 * the epochs before it whose samples still weight replicas in the next mean of their weights. Equal
 * on all ranks.
 */
final class BalanceHistory {

    private final int replicas;
    private final int epochsBefore;

    /** Shares, those of the next epoch first, then of the epochs before it. */
    private final MemorySegment shares;

    /** Observed speeds in samples per second. */
    private final MemorySegment speeds;

    private BalanceHistory(int epochsBefore, Balance first, Arena memory) {
        this.replicas = first.shares().size();
        this.epochsBefore = epochsBefore;
        this.shares = memory.allocate(JAVA_INT, (epochsBefore + 1L) * replicas);
        this.speeds = memory.allocate(JAVA_DOUBLE, replicas);
        for (int before = 0; before <= epochsBefore; before++) {
            write(before, first.shares());
        }
        replaceLatest(first);
    }

    /**
     * Creates the history of a run that begins.
     *
     * @param first balance of the first epoch
     * @param memory must outlive this
     */
    static BalanceHistory of(TrainingPlan plan, Balance first, Arena memory) {
        int epochs =
                Math.ceilDiv(period(plan.method().synchronization()), plan.division().rounds());
        return new BalanceHistory(Math.min(epochs, plan.epochs() - 1), first, memory);
    }

    /** Returns the rounds whose samples weight the replicas in a mean of their weights. */
    private static int period(Synchronization synchronization) {
        return switch (synchronization) {
            case Synchronization.LocalSgd local -> local.period();
            case Synchronization.DiLoCo outer -> outer.period();
            case Synchronization.Bsp _,
                    Synchronization.Async _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    0;
        };
    }

    /**
     * Registers the shares and speeds as vectors, whose bits a checkpoint copies: the shares of
     * many epochs exceed its limit of counters.
     */
    void register(RankStateRegistry registry) {
        registry.vector(shares);
        registry.vector(speeds);
    }

    /** Adds the balance of the next epoch. */
    void add(Balance balance) {
        long bytes = offset(1);
        MemorySegment.copy(shares, 0, shares, bytes, shares.byteSize() - bytes);
        replaceLatest(balance);
    }

    /** Replaces the balance that was added last. */
    void replaceLatest(Balance balance) {
        write(0, balance.shares());
        for (int replica = 0; replica < replicas; replica++) {
            speeds.setAtIndex(JAVA_DOUBLE, replica, balance.speeds().get(replica));
        }
    }

    private void write(int before, List<Integer> ofReplicas) {
        MemorySegment row = row(before);
        for (int replica = 0; replica < replicas; replica++) {
            row.setAtIndex(JAVA_INT, replica, ofReplicas.get(replica));
        }
    }

    private MemorySegment row(int before) {
        return shares.asSlice(offset(before), offset(1));
    }

    private long offset(int before) {
        return JAVA_INT.scale(0, (long) before * replicas);
    }

    /** Returns the number of epochs before the next one whose shares it has. */
    int epochsBefore() {
        return epochsBefore;
    }

    /**
     * Returns the shares of an epoch.
     *
     * @param before number of epochs before the next one
     */
    List<Integer> shares(int before) {
        MemorySegment row = row(before);
        return IntStream.range(0, replicas)
                .mapToObj(replica -> row.getAtIndex(JAVA_INT, replica))
                .toList();
    }

    /** Returns the balance of the next epoch. */
    Balance latest() {
        return new Balance(
                shares(0),
                IntStream.range(0, replicas)
                        .mapToObj(replica -> speeds.getAtIndex(JAVA_DOUBLE, replica))
                        .toList());
    }
}
