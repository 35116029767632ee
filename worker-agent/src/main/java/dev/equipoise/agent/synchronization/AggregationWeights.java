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
 * Aggregation weights of one rank (docs/algorithms.md, sections 1.2, 1.3 and 2.3). Every rank knows
 * the samples of all ranks in each round, so that no weight is sent.
 */
final class AggregationWeights {

    private final int replicas;
    private final boolean isSum;
    private final SampleCounts own;
    private final SampleCounts all;

    AggregationWeights(TrainingPlan plan, EpochShards shards, int rank) {
        int ranks = plan.division().ranks();
        this.replicas = ranks - plan.method().topology().servers();
        this.isSum = isSum(plan);
        this.own = new SampleCounts(shards, List.of(rank));
        this.all = new SampleCounts(shards, IntStream.range(0, ranks).boxed().toList());
    }

    private static boolean isSum(TrainingPlan plan) {
        return plan.loss().reduction() == Loss.Reduction.SUM
                || (plan.method().topology() instanceof Topology.ParameterServer server
                        && server.aggregate() == Topology.Aggregate.SUM);
    }

    /**
     * Returns the factor of a round's gradient before the sum over all ranks: its samples over
     * those of all ranks, which makes a mean of means; 1 where sums are wanted.
     *
     * @param round counted from 0 over all epochs
     */
    double ofGradient(long round) {
        return isSum ? 1 : ratio(round, round + 1, 0);
    }

    /**
     * Returns the factor of weights after some rounds: their samples over those of all ranks. If
     * gradients are sums over samples, all replicas count alike, since their steps are already
     * longer.
     *
     * @param from first round, counted from 0 over all epochs
     * @param to round behind the last one
     */
    double ofWeights(long from, long to) {
        return isSum ? equal() : ratio(from, to, equal());
    }

    /**
     * Returns the factor of a replica whose steps are stretched, or whose gradients are sums: 1 /
     * P.
     */
    double equal() {
        return 1.0 / replicas;
    }

    /**
     * Returns the factor of a gradient in a plain mean: 1 over the number of ranks with samples in
     * the round; 0 if this rank has none.
     *
     * @param round counted from 0 over all epochs
     */
    double ofPlainMean(long round) {
        return hasSamples(round) ? 1.0 / all.ranksWithSamples(round) : 0;
    }

    /** Returns whether this rank has samples in a round. */
    boolean hasSamples(long round) {
        return own.in(round) > 0;
    }

    /**
     * Returns whether no rank has samples.
     *
     * @param from first round, counted from 0 over all epochs
     * @param to round behind the last one
     */
    boolean areEmpty(long from, long to) {
        return all.upTo(to) == all.upTo(from);
    }

    /** Returns weights by samples, which the method applies itself when it averages. */
    ReplicaWeight bySamples() {
        return new ReplicaWeight() {
            @Override
            public double stretch(long round) {
                return 1;
            }

            @Override
            public double inMean(long from, long to) {
                return ofWeights(from, to);
            }

            @Override
            public boolean isEmpty(long round) {
                return areEmpty(round, round + 1);
            }
        };
    }

    /**
     * Returns equal weights. A replica's steps are stretched by P times its samples of the round
     * over those of all (docs/algorithms.md, section 2.3 a); by 1 where sums are wanted, whose
     * steps are already longer.
     */
    ReplicaWeight equalWeights() {
        return new ReplicaWeight() {
            @Override
            public double stretch(long round) {
                return isSum ? 1 : quotient(own.in(round) * replicas, all.in(round));
            }

            @Override
            public double inMean(long from, long to) {
                return equal();
            }

            @Override
            public boolean isEmpty(long round) {
                return areEmpty(round, round + 1);
            }
        };
    }

    /**
     * Returns weights by the shares of the first epoch, which Metropolis weights keep. Steps are
     * stretched by as much as a round's part of the samples differs from the epoch's
     * (docs/algorithms.md, section 2.3 b).
     */
    ReplicaWeight byShares() {
        return new ReplicaWeight() {
            @Override
            public double stretch(long round) {
                return isSum
                        ? 1
                        : quotient(
                                own.in(round) * all.ofFirstEpoch(),
                                all.in(round) * own.ofFirstEpoch());
            }

            @Override
            public double inMean(long from, long to) {
                return ofEpoch();
            }

            @Override
            public boolean isEmpty(long round) {
                return areEmpty(round, round + 1);
            }
        };
    }

    private static double quotient(long numerator, long denominator) {
        return denominator == 0 ? 0 : (double) numerator / denominator;
    }

    /** Returns the samples of this rank over those of all, in the first epoch. */
    double ofEpoch() {
        return (double) own.ofFirstEpoch() / all.ofFirstEpoch();
    }

    private double ratio(long from, long to, double ofNone) {
        long total = all.upTo(to) - all.upTo(from);
        return total == 0 ? ofNone : (double) (own.upTo(to) - own.upTo(from)) / total;
    }

    /** Counts the samples of some ranks. */
    private static final class SampleCounts {

        private final EpochShards shards;
        private final List<Integer> ranks;

        /** Samples before each round and at the end, for each epoch, counted within the epoch. */
        private final List<long[]> within = new ArrayList<>();

        /** Samples before each epoch. */
        private final List<Long> before = new ArrayList<>();

        SampleCounts(EpochShards shards, List<Integer> ranks) {
            this.shards = shards;
            this.ranks = ranks;
            before.add(0L);
        }

        long ofFirstEpoch() {
            return upTo(shards.of(1).rounds());
        }

        /** Returns the samples in a round, counted from 0 over all epochs. */
        long in(long round) {
            return upTo(round + 1) - upTo(round);
        }

        /** Returns the number of ranks with samples in a round, counted from 0 over all epochs. */
        int ranksWithSamples(long round) {
            int rounds = shards.of(1).rounds();
            Shards ofEpoch = shards.of(Math.toIntExact(round / rounds) + 1);
            int within = (int) (round % rounds);
            return (int) ranks.stream().filter(it -> ofEpoch.batchSize(it, within) > 0).count();
        }

        /** Returns the samples before a round, counted from 0 over all epochs. */
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

        /**
         * Returns the counts of an epoch; one with the shards of the epoch before shares its
         * memory.
         */
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
