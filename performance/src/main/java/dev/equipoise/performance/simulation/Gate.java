package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Synchronization;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Who may begin another round, at servers that take gradients as they come. */
sealed interface Gate {

    static Gate of(Synchronization synchronization, int replicas) {
        return switch (synchronization) {
            case Synchronization.StaleSynchronous(int bound, boolean barrier, var _) when barrier ->
                    new Barrier(replicas, bound);
            case Synchronization.StaleSynchronous stale -> new Bounded(replicas, stale.bound());
            default -> new Bounded(replicas, Integer.MAX_VALUE);
        };
    }

    /** Wants the weights. */
    void waits(int replica);

    /** Has brought a gradient, its last one or not. */
    void completed(int replica, boolean last);

    /** Those that wait and may go on now. */
    List<Integer> answered();

    /** When the slowest is not too far behind (Ho and others 2013). */
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
            int slowest =
                    IntStream.range(0, rounds.length)
                            .filter(replica -> !isDone[replica])
                            .map(replica -> rounds[replica])
                            .min()
                            .orElse(Integer.MAX_VALUE);
            List<Integer> answered =
                    IntStream.range(0, rounds.length)
                            .filter(replica ->
                                    isWaiting[replica] && rounds[replica] - slowest <= bound)
                            .boxed()
                            .toList();
            answered.forEach(replica -> isWaiting[replica] = false);
            return answered;
        }
    }

    /**
     * Until one is too far ahead; then when all have brought what they had in hand. A round counts
     * when its replica asks for the next one.
     */
    final class Barrier implements Gate {

        private final int bound;
        private final int[] rounds;
        private final boolean[] hasBrought;
        private final boolean[] isWaiting;
        private final boolean[] isDone;
        private boolean isStopping;

        private Barrier(int replicas, int bound) {
            this.bound = bound;
            this.rounds = new int[replicas];
            this.hasBrought = new boolean[replicas];
            this.isWaiting = new boolean[replicas];
            this.isDone = new boolean[replicas];
        }

        @Override
        public void waits(int replica) {
            isWaiting[replica] = true;
            rounds[replica] += hasBrought[replica] ? 1 : 0;
            hasBrought[replica] = false;
            isStopping |= rounds[replica] - slowest() >= bound;
        }

        private int slowest() {
            return IntStream.range(0, rounds.length)
                    .filter(replica -> !isDone[replica])
                    .map(replica -> rounds[replica])
                    .min()
                    .orElse(Integer.MAX_VALUE);
        }

        @Override
        public void completed(int replica, boolean last) {
            hasBrought[replica] = true;
            isDone[replica] = last;
        }

        @Override
        public List<Integer> answered() {
            List<Integer> waiting =
                    IntStream.range(0, rounds.length)
                            .filter(replica -> isWaiting[replica])
                            .boxed()
                            .toList();
            if (isStopping && !allWait()) {
                return List.of();
            }
            if (isStopping) {
                isStopping = false;
                Arrays.fill(rounds, 0);
            }
            Arrays.fill(isWaiting, false);
            return waiting;
        }

        private boolean allWait() {
            return IntStream.range(0, rounds.length)
                    .allMatch(replica -> isDone[replica] || isWaiting[replica]);
        }
    }
}
