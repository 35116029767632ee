package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.BenchFailed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Background load on the same cores: processes that compute without pause until closed. */
final class BusyLoops implements AutoCloseable {

    private final List<Process> processes = new ArrayList<>();

    private BusyLoops() {}

    /**
     * Starts the processes.
     *
     * @throws BenchFailed if one cannot be started
     */
    static BusyLoops start(int count) {
        var loops = new BusyLoops();
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(loops::close));
        try {
            for (int i = 0; i < count; i++) {
                loops.processes.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            return loops;
        } catch (IOException failure) {
            loops.close();
            throw new BenchFailed("cannot start a busy loop: " + failure.getMessage(), failure);
        }
    }

    @Override
    public void close() {
        processes.forEach(it -> it.destroyForcibly().onExit().join());
    }
}
