package dev.equipoise.agent.training;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.performance.partition.Balance;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.TrainingPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Dynamic shares in the rank state: those of the next epoch with the observed speeds, and those of
 * the epochs before it whose samples still weight replicas in the next mean of their weights. Equal
 * on all ranks.
 */
final class BalanceHistory {

    private final int replicas;

    /** Shares, those of the next epoch first, then of the epochs before it. */
    private final long[] shares;

    /** Observed speeds in samples per second, as the bits of doubles. */
    private final long[] speeds;

    private BalanceHistory(int epochsBefore, Balance first) {
        this.replicas = first.shares().size();
        this.shares = new long[(epochsBefore + 1) * replicas];
        this.speeds = new long[replicas];
        for (int i = 0; i <= epochsBefore; i++) {
            add(first);
        }
    }

    /**
     * Creates the history of a run that begins.
     *
     * @param first balance of the first epoch
     */
    static BalanceHistory of(TrainingPlan plan, Balance first) {
        int epochs =
                Math.ceilDiv(period(plan.method().synchronization()), plan.division().rounds());
        return new BalanceHistory(Math.min(epochs, plan.epochs() - 1), first);
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

    /** Registers the shares and speeds. */
    void register(RankStateRegistry registry) {
        register(registry, shares);
        register(registry, speeds);
    }

    private static void register(RankStateRegistry registry, long[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            int index = i;
            registry.number(() -> numbers[index], it -> numbers[index] = it);
        }
    }

    /** Adds the balance of the next epoch. */
    void add(Balance balance) {
        System.arraycopy(shares, 0, shares, replicas, shares.length - replicas);
        replaceLatest(balance);
    }

    /** Replaces the balance that was added last. */
    void replaceLatest(Balance balance) {
        for (int i = 0; i < replicas; i++) {
            shares[i] = balance.shares().get(i);
            speeds[i] = Double.doubleToRawLongBits(balance.speeds().get(i));
        }
    }

    /** Returns the number of epochs before the next one whose shares it has. */
    int epochsBefore() {
        return shares.length / replicas - 1;
    }

    /**
     * Returns the shares of an epoch.
     *
     * @param before number of epochs before the next one
     */
    List<Integer> shares(int before) {
        return IntStream.range(before * replicas, (before + 1) * replicas)
                .mapToObj(it -> Math.toIntExact(shares[it]))
                .toList();
    }

    /** Returns the balance of the next epoch. */
    Balance latest() {
        List<Double> observed = new ArrayList<>();
        for (long bits : speeds) {
            observed.add(Double.longBitsToDouble(bits));
        }
        return new Balance(shares(0), observed);
    }
}
