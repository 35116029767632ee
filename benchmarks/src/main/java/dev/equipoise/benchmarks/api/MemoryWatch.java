package dev.equipoise.benchmarks.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAccumulator;

/** Samples the memory of the service once a second, on its own thread. */
final class MemoryWatch implements AutoCloseable {

    private final Memory memory;
    private final DoubleAccumulator resident = most();
    private final DoubleAccumulator database = most();
    private final DoubleAccumulator heap = most();
    private final Thread thread = Thread.ofVirtual().unstarted(this::watch);

    private MemoryWatch(Memory memory) {
        this.memory = memory;
    }

    static MemoryWatch of(Memory memory) {
        var watch = new MemoryWatch(memory);
        watch.thread.start();
        return watch;
    }

    private static DoubleAccumulator most() {
        return new DoubleAccumulator(Math::max, 0);
    }

    private void watch() {
        try {
            while (true) {
                resident.accumulate(memory.resident());
                database.accumulate(memory.database());
                heap.accumulate(memory.heap());
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the highest sample of the service's memory, in megabytes. */
    double resident() {
        return resident.get();
    }

    /** Returns the highest sample of the database's memory, in megabytes. */
    double database() {
        return database.get();
    }

    /** Returns the highest sample of the heap in use, in megabytes. */
    double heap() {
        return heap.get();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
