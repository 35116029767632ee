package dev.equipoise.launcher;

import java.util.List;

/**
 * A worker of the laboratory on this machine.
 *
 * @param slowDown the factor by which it stretches its compute time, at least 1
 */
record LocalWorker(String name, double slowDown) {

    /**
     * By how much even the fastest is slowed. What the service, the kernel and the neighbours of a
     * virtual machine take from a core then comes out of the worker's sleep, and not of its speed.
     */
    private static final double HEADROOM = 1.5;

    private static final double MIXED = 2.31;

    /** Speeds 1.0 : 1.0 : 2.31, those of a published mixed cluster; on two cores all three fit. */
    static final List<LocalWorker> MIXED_BAG =
            List.of(
                    new LocalWorker("slow-1", HEADROOM * MIXED),
                    new LocalWorker("slow-2", HEADROOM * MIXED),
                    new LocalWorker("fast", HEADROOM));

    /** The largest speed-up that balancing can bring: the mean speed over the slowest. */
    static double idealSpeedup(List<LocalWorker> workers) {
        double slowest = workers.stream().mapToDouble(LocalWorker::load).min().orElse(1);
        double mean = workers.stream().mapToDouble(LocalWorker::load).average().orElse(1);
        return mean / slowest;
    }

    /** The part of a core that it computes on. */
    double load() {
        return 1 / slowDown;
    }
}
