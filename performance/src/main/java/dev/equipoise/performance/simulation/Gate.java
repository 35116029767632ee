package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Synchronization;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Decides which replicas may begin another round at servers that apply gradients on arrival
 * (docs/algorithms.md, section 4.3).
 */
sealed interface Gate {

    static Gate of(Synchronization synchronization, int replicas) {
        return switch (synchronization) {
            case Synchronization.StaleSynchronous(int bound, boolean barrier, var _) when barrier ->
                    new Barrier(replicas, bound);
            case Synchronization.StaleSynchronous stale -> new Bounded(replicas, stale.bound());
            default -> new Bounded(replicas, Integer.MAX_VALUE);
        };
    }

    /** Records that a replica requests the weights. */
    void waits(int replica);

    /**
     * Records that a replica has pushed a gradient.
     *
     * @param last whether it was the last one of the replica
     */
    void completed(int replica, boolean last);

    /** Returns the waiting replicas that may continue now, and ends their wait. */
    List<Integer> answered();

    /** Returns the fewest rounds of the replicas that are not done. */
    private static int slowest(int[] rounds, boolean[] isDone) {
        return IntStream.range(0, rounds.length)
                .filter(replica -> !isDone[replica])
                .map(replica -> rounds[replica])
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    private static List<Integer> replicas(int count, IntPredicate condition) {
        return IntStream.range(0, count).filter(condition).boxed().toList();
    }

    /**
     * Stale-synchronous parallel: blocks a replica that is more than {@code bound} rounds ahead of
     * the slowest (Ho et al. 2013).
     */
    final class Bounded implements Gate {

        private final int bound;
        private final int[] rounds;
        private final boolean[] isWaiting;
        private final boolean[] isDone;

        private Bounded(int replicas, int bound) {
            this.bound = bound;
            this.rounds = new int[replicas];
            this.isWaiting = new boolean[replicas];
            this.isDone = new boolean[replicas];
        }

        @Override
        public void waits(int replica) {
            isWaiting[replica] = true;
        }

        @Override
        public void completed(int replica, boolean last) {
            rounds[replica]++;
            isDone[replica] = last;
        }

        @Override
        public List<Integer> answered() {
            int slowest = slowest(rounds, isDone);
            List<Integer> answered =
                    replicas(
                            rounds.length,
                            replica -> isWaiting[replica] && rounds[replica] - slowest <= bound);
            answered.forEach(replica -> isWaiting[replica] = false);
            return answered;
        }
    }

    /**
     * Barrier: once a replica is {@code bound} rounds ahead, all stop after their current round and
     * then continue together. A round counts when its replica requests the next one.
     */
    final class Barrier implements Gate {

        private final int bound;
        private final int[] rounds;
        private final boolean[] hasPushed;
        private final boolean[] isWaiting;
        private final boolean[] isDone;
        private boolean isStopping;

        private Barrier(int replicas, int bound) {
            this.bound = bound;
            this.rounds = new int[replicas];
            this.hasPushed = new boolean[replicas];
            this.isWaiting = new boolean[replicas];
            this.isDone = new boolean[replicas];
        }

        @Override
        public void waits(int replica) {
            isWaiting[replica] = true;
            rounds[replica] += hasPushed[replica] ? 1 : 0;
            hasPushed[replica] = false;
            isStopping |= rounds[replica] - slowest(rounds, isDone) >= bound;
        }

        @Override
        public void completed(int replica, boolean last) {
            hasPushed[replica] = true;
            isDone[replica] = last;
        }

        @Override
        public List<Integer> answered() {
            if (isStopping && !allWait()) {
                return List.of();
            }
            if (isStopping) {
                isStopping = false;
                Arrays.fill(rounds, 0);
            }
            List<Integer> waiting = replicas(rounds.length, replica -> isWaiting[replica]);
            Arrays.fill(isWaiting, false);
            return waiting;
        }

        private boolean allWait() {
            return IntStream.range(0, rounds.length)
                    .allMatch(replica -> isDone[replica] || isWaiting[replica]);
        }
    }
}
