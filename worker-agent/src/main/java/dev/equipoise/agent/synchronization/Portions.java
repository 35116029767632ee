package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.network.Loss;
import java.util.stream.IntStream;

/**
 * How much one rank counts. Every rank knows what all take in each round, so that no weight need
 * travel.
 */
final class Portions {

    private final int replicas;
    private final boolean sums;

    /** Samples up to the beginning of each round of an epoch. */
    private final long[] ownBefore;

    private final long[] allBefore;

    Portions(TrainingPlan plan, int rank) {
        var shards = new Shards(plan.division().shares(), plan.division().rounds());
        int ranks = plan.division().ranks();
        int rounds = plan.division().rounds();
        this.replicas = ranks - plan.method().topology().servers();
        this.sums = sums(plan);
        this.ownBefore = new long[rounds + 1];
        this.allBefore = new long[rounds + 1];
        for (int round = 0; round < rounds; round++) {
            int taken = round;
            long all = IntStream.range(0, ranks).mapToLong(it -> shards.batchSize(it, taken)).sum();
            ownBefore[round + 1] = ownBefore[round] + shards.batchSize(rank, round);
            allBefore[round + 1] = allBefore[round] + all;
        }
    }

    private static boolean sums(TrainingPlan plan) {
        return plan.loss().reduction() == Loss.Reduction.SUM
                || (plan.method().topology() instanceof Topology.ParameterServer server
                        && server.aggregate() == Topology.Aggregate.SUM);
    }

    /**
     * By what a round's gradient is multiplied before those of all ranks are added: its samples
     * over those of all ranks, which makes a mean of means; 1 where sums are wanted.
     *
     * @param round counted from 0 over all epochs
     */
    double ofGradient(long round) {
        return sums ? 1 : ratio(round, round + 1, 0);
    }

    /**
     * How much weights count that have come of some rounds: as do their samples, but where
     * gradients are sums over them, and have already gone as much further, all alike.
     *
     * @param from the first of them, counted from 0 over all epochs
     * @param to the one behind the last
     */
    double ofWeights(long from, long to) {
        return sums ? alike() : ratio(from, to, alike());
    }

    /** How much a replica counts whose steps are stretched, or whose gradients are sums. */
    double alike() {
        return 1.0 / replicas;
    }

    /**
     * By what a replica's steps are stretched where all replicas count alike afterwards: P times
     * its samples over those of all (ALGORITHMS section 2.3 a); 1 where sums are wanted, which are
     * longer by themselves.
     */
    double stretch() {
        return sums ? 1 : replicas * ofEpoch();
    }

    /** Its samples over those of all. */
    double ofEpoch() {
        int rounds = ownBefore.length - 1;
        return (double) ownBefore[rounds] / allBefore[rounds];
    }

    private double ratio(long from, long to, double ofNone) {
        long all = upTo(allBefore, to) - upTo(allBefore, from);
        return all == 0 ? ofNone : (double) (upTo(ownBefore, to) - upTo(ownBefore, from)) / all;
    }

    private static long upTo(long[] before, long round) {
        int rounds = before.length - 1;
        return round / rounds * before[rounds] + before[(int) (round % rounds)];
    }
}
