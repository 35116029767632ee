package dev.equipoise.launcher;

import java.util.List;

/**
 * A worker of the laboratory on this machine.
 *
 * @param slowDown the factor by which it stretches its compute time, at least 1
 */
record LocalWorker(String name, double slowDown) {

    /** Speeds 1.0 : 1.0 : 2.31, those of a published mixed cluster; on two cores all three fit. */
    static final List<LocalWorker> MIXED_BAG =
            List.of(
                    new LocalWorker("slow-1", 2.31),
                    new LocalWorker("slow-2", 2.31),
                    new LocalWorker("fast", 1.0));

    /** The largest speed-up that balancing can bring: the mean speed over the slowest. */
    static double idealSpeedup(List<LocalWorker> workers) {
        double slowest = workers.stream().mapToDouble(LocalWorker::speed).min().orElse(1);
        double mean = workers.stream().mapToDouble(LocalWorker::speed).average().orElse(1);
        return mean / slowest;
    }

    /**
     * A slowed worker gives way: what it waits for a core comes out of its sleep, whereas one at
     * full speed could never make up for it. Machines of their own would not share cores either.
     */
    int niceness() {
        return slowDown > 1 ? 5 : 0;
    }

    private double speed() {
        return 1 / slowDown;
    }
}
