package dev.equipoise.performance.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gathers frames from all ranks to rank 0, which adds them, and broadcasts one frame back. The
 * array of times holds, in seconds, when each rank is ready before the call and done after it.
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
     * Sends one frame from each rank but 0 to rank 0.
     *
     * @param vectorBytes bytes that rank 0 adds for each frame
     */
    void gather(double[] times, double frameBytes, double vectorBytes);

    /** Sends the same frame from rank 0 to each other rank. */
    void broadcast(double[] times, double frameBytes);

    /** Frames queue at the ports of rank 0, which adds one frame while it receives the next. */
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

    /** Rank 0 sends or receives one frame at a time. */
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

    /** Binomial tree: rank r receives from r + 1, r + 2, r + 4, ... up to its own lowest bit. */
    record Tree(Ports ports, double addSecondsPerByte) implements Collective {

        /**
         * Goes from the last rank to the first, since children have higher numbers than their
         * parents.
         */
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

        /** Sends to the farthest child first, since it has the largest subtree. */
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

        /**
         * Returns the distance to the farthest child: half of the capacity of the rank's subtree.
         */
        private static int farthest(int rank, int ranks) {
            int subtree = rank == 0 ? 2 * Integer.highestOneBit(ranks) : Integer.lowestOneBit(rank);
            return subtree >> 1;
        }
    }
}
