package dev.equipoise.performance.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Brings frames from all ranks to rank 0, which adds them, and one from there back to all. Times
 * are those at which each rank is ready, before, and done, after, in seconds.
 */
sealed interface Collective {

    static Collective of(Serving.Way way, Ports ports, double addSecondsPerByte) {
        return switch (way) {
            case DIRECT -> new Direct(ports, addSecondsPerByte);
            case IN_TURN -> new InTurn(ports, addSecondsPerByte);
            case TREE -> new Tree(ports, addSecondsPerByte);
        };
    }

    /**
     * One frame from each rank but 0.
     *
     * @param vectorBytes that are added
     */
    void gather(double[] times, double frameBytes, double vectorBytes);

    /** The same frame to each rank but 0. */
    void broadcast(double[] times, double frameBytes);

    /** Frames queue at the ports of rank 0, which adds each while the next one comes. */
    record Direct(Ports ports, double addSecondsPerByte) implements Collective {

        @Override
        public void gather(double[] times, double frameBytes, double vectorBytes) {
            List<Ports.Frame> frames = new ArrayList<>();
            for (int rank = 1; rank < times.length; rank++) {
                frames.add(ports.send(rank, 0, times[rank], frameBytes));
            }
            ports.receive(frames);
            for (Ports.Frame frame : frames) {
                times[0] = Math.max(times[0], frame.arrived() + addSecondsPerByte * vectorBytes);
            }
        }

        @Override
        public void broadcast(double[] times, double frameBytes) {
            for (int rank = 1; rank < times.length; rank++) {
                times[rank] = ports.receive(ports.send(0, rank, times[0], frameBytes));
            }
        }
    }

    /** Rank 0 has one frame under way, in either direction. */
    record InTurn(Ports ports, double addSecondsPerByte) implements Collective {

        @Override
        public void gather(double[] times, double frameBytes, double vectorBytes) {
            for (int rank = 1; rank < times.length; rank++) {
                double begins = Math.max(times[0], times[rank]);
                times[0] =
                        ports.receive(ports.send(rank, 0, begins, frameBytes))
                                + addSecondsPerByte * vectorBytes;
            }
        }

        @Override
        public void broadcast(double[] times, double frameBytes) {
            for (int rank = 1; rank < times.length; rank++) {
                times[rank] = ports.receive(ports.send(0, rank, times[0], frameBytes));
                times[0] = times[rank];
            }
        }
    }

    /** Rank r hears of r + 1, r + 2, r + 4, ... up to its own lowest bit. */
    record Tree(Ports ports, double addSecondsPerByte) implements Collective {

        /** Children come after their parents, so that the last rank is the first to send. */
        @Override
        public void gather(double[] times, double frameBytes, double vectorBytes) {
            List<List<Ports.Frame>> toRank = new ArrayList<>();
            for (int rank = 0; rank < times.length; rank++) {
                toRank.add(new ArrayList<>());
            }
            for (int rank = times.length - 1; rank >= 0; rank--) {
                for (double arrived : arrivals(toRank.get(rank))) {
                    times[rank] = Math.max(times[rank], arrived) + addSecondsPerByte * vectorBytes;
                }
                if (rank > 0) {
                    int parent = rank - Integer.lowestOneBit(rank);
                    toRank.get(parent).add(ports.send(rank, parent, times[rank], frameBytes));
                }
            }
        }

        private double[] arrivals(List<Ports.Frame> frames) {
            ports.receive(frames);
            double[] arrivals = frames.stream().mapToDouble(Ports.Frame::arrived).toArray();
            Arrays.sort(arrivals);
            return arrivals;
        }

        /** The farthest child has the most to pass on. */
        @Override
        public void broadcast(double[] times, double frameBytes) {
            for (int rank = 0; rank < times.length; rank++) {
                for (int distance = farthest(rank, times.length); distance > 0; distance >>= 1) {
                    int child = rank + distance;
                    if (child < times.length) {
                        times[child] =
                                ports.receive(ports.send(rank, child, times[rank], frameBytes));
                    }
                }
            }
        }

        /** Half of what a rank's subtree could hold. */
        private static int farthest(int rank, int ranks) {
            int subtree = rank == 0 ? 2 * Integer.highestOneBit(ranks) : Integer.lowestOneBit(rank);
            return subtree >> 1;
        }
    }
}
