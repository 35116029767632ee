package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.performance.partition.Balance;
import dev.equipoise.performance.partition.Work;
import dev.equipoise.protocol.AgentEvent.Phases;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Shares that follow what the ranks compute. After an epoch all tell one another for how long they
 * have, and each finds by itself the same shares for the next.
 */
final class Balancing {

    private final TrainingPlan plan;
    private final EpochShards shards;
    private final int rank;
    private final int servers;
    private final MemorySegment seconds;
    private final RecursiveDoubling sum;
    private final TrainingPlan.Rebalancing rebalancing;
    private Balance balance;

    private Balancing(
            TrainingPlan plan,
            TrainingPlan.Rebalancing rebalancing,
            EpochShards shards,
            Channel channel,
            Arena memory) {
        int ranks = plan.division().ranks();
        this.plan = plan;
        this.rebalancing = rebalancing;
        this.shards = shards;
        this.rank = channel.rank();
        this.servers = plan.method().topology().servers();
        this.seconds = memory.allocate(JAVA_FLOAT, ranks);
        this.sum = new RecursiveDoubling(channel, ranks, memory);
        this.balance = Balance.of(plan.division().shares().subList(servers, ranks));
    }

    /**
     * Empty where shares stay.
     *
     * @param shards are told of the next epoch
     * @param memory must outlive it
     */
    static Optional<Balancing> of(
            TrainingPlan plan, EpochShards shards, Channel channel, Arena memory) {
        return Optional.ofNullable(plan.division().rebalancing())
                .map(it -> new Balancing(plan, it, shards, channel, memory));
    }

    /** Every rank calls it after every epoch; the last one is followed by none to be shared. */
    void after(int epoch, Phases phases) {
        if (epoch == plan.epochs()) {
            return;
        }
        balance = balance.after(work(), tellAll(phases.computeSeconds()), rebalancing.hysteresis());
        shards.next(
                Stream.concat(
                                IntStream.range(0, servers).mapToObj(_ -> 0),
                                balance.shares().stream())
                        .toList());
    }

    private Work work() {
        return new Work(
                plan.trainingSamples(),
                plan.division().rounds(),
                rebalancing.rooms().subList(servers, plan.division().ranks()));
    }

    /**
     * A sum to which each rank adds its own figure and nothing else has the same bits everywhere.
     */
    private List<Double> tellAll(double computeSeconds) {
        seconds.fill((byte) 0);
        seconds.setAtIndex(JAVA_FLOAT, rank, (float) computeSeconds);
        sum.sum(seconds);
        return IntStream.range(servers, plan.division().ranks())
                .mapToObj(it -> (double) seconds.getAtIndex(JAVA_FLOAT, it))
                .toList();
    }
}
