package dev.equipoise.launcher;

import java.util.List;

/**
 * A worker of a lab on this machine.
 *
 * @param slowDown factor by which the worker stretches its compute time, at least 1
 */
record LocalWorker(String name, double slowDown) {

    /**
     * Slowdown of even the fastest worker. Time that the service, the kernel or the neighbors of a
     * virtual machine take from a core then comes out of the worker's sleep, and not of its speed.
     */
    private static final double HEADROOM = 1.5;

    private static final double SPEED_RATIO = 2.31;

    /**
     * Three workers with the speeds 1.0 : 1.0 : 2.31 of a published cluster; two cores suffice for
     * all.
     */
    static final List<LocalWorker> UNEQUAL_WORKERS =
            List.of(
                    new LocalWorker("slow-1", HEADROOM * SPEED_RATIO),
                    new LocalWorker("slow-2", HEADROOM * SPEED_RATIO),
                    new LocalWorker("fast", HEADROOM));

    /** Returns the largest speedup that balancing can bring: the mean speed over the slowest. */
    static double idealSpeedup(List<LocalWorker> workers) {
        double slowest = workers.stream().mapToDouble(LocalWorker::load).min().orElse(1);
        double mean = workers.stream().mapToDouble(LocalWorker::load).average().orElse(1);
        return mean / slowest;
    }

    /** Returns the fraction of a core that the worker uses. */
    double load() {
        return 1 / slowDown;
    }
}
