package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.performance.partition.Balance;
import dev.equipoise.performance.partition.EpochWork;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Dynamic load balancing (docs/algorithms.md, section 7): after an epoch all ranks exchange their
 * compute times, and each computes the same shares for the next epoch.
 */
final class DynamicLoadBalancer {

    private final TrainingPlan plan;
    private final EpochShards shards;
    private final int rank;
    private final int servers;
    private final MemorySegment seconds;
    private final RecursiveDoubling allReduce;
    private final TrainingPlan.Rebalancing rebalancing;
    private final BalanceHistory history;
    private Balance balance;

    private DynamicLoadBalancer(
            TrainingPlan plan,
            TrainingPlan.Rebalancing rebalancing,
            EpochShards shards,
            Channel channel,
            RankStateRegistry registry,
            Arena memory) {
        int ranks = plan.division().ranks();
        this.plan = plan;
        this.rebalancing = rebalancing;
        this.shards = shards;
        this.rank = channel.rank();
        this.servers = plan.method().topology().servers();
        this.seconds = memory.allocate(JAVA_FLOAT, ranks);
        this.allReduce = new RecursiveDoubling(channel, ranks, memory);
        this.balance = Balance.of(plan.division().shares().subList(servers, ranks));
        this.history = BalanceHistory.of(plan, balance, memory);
        history.register(registry);
    }

    /**
     * Creates the load balancer; empty for a plan with constant shares.
     *
     * @param shards receive the shares of the next epoch
     * @param registry registry of the rank state
     * @param memory must outlive this
     */
    static Optional<DynamicLoadBalancer> of(
            TrainingPlan plan,
            EpochShards shards,
            Channel channel,
            RankStateRegistry registry,
            Arena memory) {
        return Optional.ofNullable(plan.division().rebalancing())
                .map(it -> new DynamicLoadBalancer(plan, it, shards, channel, registry, memory));
    }

    /** Computes the shares of the next epoch, if any. Every rank calls it after every epoch. */
    void after(int epoch, Phases phases) {
        if (epoch == plan.epochs()) {
            return;
        }
        balance = balance.after(work(), gather(phases.computeSeconds()), rebalancing.hysteresis());
        history.add(balance);
        shards.from(epoch + 1, ofAllRanks(balance.shares()));
    }

    /**
     * Continues with the restored shares. Ranks whose memory does not hold their shares, on other
     * workers, get as much as fits.
     *
     * @param next the epoch that begins
     */
    void resume(int next) {
        for (int before = Math.min(history.epochsBefore(), next - 1); before > 0; before--) {
            shards.from(next - before, ofAllRanks(history.shares(before)));
        }
        balance = history.latest().within(work());
        history.replaceLatest(balance);
        shards.from(next, ofAllRanks(balance.shares()));
    }

    private List<Integer> ofAllRanks(List<Integer> ofReplicas) {
        return Stream.concat(Collections.nCopies(servers, 0).stream(), ofReplicas.stream())
                .toList();
    }

    private EpochWork work() {
        return new EpochWork(
                plan.trainingSamples(),
                plan.division().rounds(),
                rebalancing.rooms().subList(servers, plan.division().ranks()));
    }

    /**
     * Gathers the compute times by an all-reduce. Each element has one nonzero summand, so that the
     * result has the same bits on all ranks.
     */
    private List<Double> gather(double computeSeconds) {
        seconds.fill((byte) 0);
        seconds.setAtIndex(JAVA_FLOAT, rank, (float) computeSeconds);
        allReduce.sum(seconds);
        return IntStream.range(servers, plan.division().ranks())
                .mapToObj(it -> (double) seconds.getAtIndex(JAVA_FLOAT, it))
                .toList();
    }
}
