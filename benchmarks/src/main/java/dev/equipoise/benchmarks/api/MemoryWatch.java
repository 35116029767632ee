package dev.equipoise.benchmarks.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAccumulator;

/** Looks at the memory of the service once a second, on a thread of its own. */
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

    /** The most megabytes of the service that were seen. */
    double resident() {
        return resident.get();
    }

    /** The most megabytes of the database that were seen. */
    double database() {
        return database.get();
    }

    /** The most megabytes of the heap that were seen in use. */
    double heap() {
        return heap.get();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
