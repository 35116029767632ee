package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.network.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much one rank counts. Every rank knows what all take in each round, so that no weight need
 * travel.
 */
final class Portions {

    private final int replicas;
    private final boolean sums;
    private final Taken own;
    private final Taken all;

    Portions(TrainingPlan plan, EpochShards shards, int rank) {
        int ranks = plan.division().ranks();
        this.replicas = ranks - plan.method().topology().servers();
        this.sums = sums(plan);
        this.own = new Taken(shards, List.of(rank));
        this.all = new Taken(shards, IntStream.range(0, ranks).boxed().toList());
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

    /** Its samples over those of all, in the first epoch. */
    double ofEpoch() {
        return (double) own.ofFirstEpoch() / all.ofFirstEpoch();
    }

    private double ratio(long from, long to, double ofNone) {
        long total = all.upTo(to) - all.upTo(from);
        return total == 0 ? ofNone : (double) (own.upTo(to) - own.upTo(from)) / total;
    }

    /** How many samples some ranks have taken. */
    private static final class Taken {

        private final EpochShards shards;
        private final List<Integer> ranks;

        /** By epoch, up to the beginning of each of its rounds and to its end. */
        private final List<long[]> within = new ArrayList<>();

        /** By epoch, up to its beginning. */
        private final List<Long> before = new ArrayList<>();

        Taken(EpochShards shards, List<Integer> ranks) {
            this.shards = shards;
            this.ranks = ranks;
            before.add(0L);
        }

        long ofFirstEpoch() {
            return upTo(shards.of(1).rounds());
        }

        /** Up to the beginning of a round, counted from 0 over all epochs. */
        long upTo(long round) {
            int rounds = shards.of(1).rounds();
            int epoch = Math.toIntExact(round / rounds);
            int ofEpoch = (int) (round % rounds);
            while (before.size() <= epoch) {
                int last = before.size() - 1;
                before.add(before.get(last) + within(last)[rounds]);
            }
            return before.get(epoch) + (ofEpoch == 0 ? 0 : within(epoch)[ofEpoch]);
        }

        /** An epoch that has the shards of the one before takes no more room. */
        private long[] within(int epoch) {
            while (within.size() <= epoch) {
                int next = within.size() + 1;
                within.add(
                        next > 1 && shards.of(next).equals(shards.of(next - 1))
                                ? within.getLast()
                                : sums(shards.of(next)));
            }
            return within.get(epoch);
        }

        private long[] sums(Shards ofEpoch) {
            long[] sums = new long[ofEpoch.rounds() + 1];
            for (int round = 0; round < ofEpoch.rounds(); round++) {
                sums[round + 1] = sums[round];
                for (int rank : ranks) {
                    sums[round + 1] += ofEpoch.batchSize(rank, round);
                }
            }
            return sums;
        }
    }
}
