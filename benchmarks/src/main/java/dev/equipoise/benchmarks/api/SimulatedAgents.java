package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import dev.equipoise.protocol.WorkerId;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Simulated agents of one label, each of which sees all others, as in one cluster. */
final class SimulatedAgents implements AutoCloseable {

    private final Set<WorkerId> cluster = ConcurrentHashMap.newKeySet();
    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<@Nullable BenchFailed> failure = new AtomicReference<>();
    private volatile Times lateness = new Times();
    private volatile Set<WorkerId> seen = Set.of();

    private SimulatedAgents() {}

    /** Registers agents one after the other; each starts working at once. */
    static SimulatedAgents join(Api administrator, int count, String label, Behavior behavior)
            throws InterruptedException {
        var all = new SimulatedAgents();
        var random = new SecureRandom();
        for (int number = 0; number < count; number++) {
            all.begin(SimulatedAgent.join(administrator, number, label, behavior, random));
        }
        return all;
    }

    private void begin(SimulatedAgent agent) {
        agents.add(agent);
        cluster.add(agent.id());
        seen = Set.copyOf(cluster);
        Duration offset =
                Duration.ofMillis(
                        ThreadLocalRandom.current().nextLong(SimulatedAgent.PERIOD.toMillis()));
        Schedule schedule = Schedule.every(SimulatedAgent.PERIOD, offset);
        start(() -> agent.sendHeartbeats(schedule, () -> seen, due -> lateness.addSince(due)));
        start(agent::work);
    }

    private interface Task {
        void run() throws InterruptedException;
    }

    private void start(Task task) {
        threads.execute(() -> {
            try {
                task.run();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (BenchFailed e) {
                failure.compareAndSet(null, e);
            }
        });
    }

    /** Starts new statistics of the lateness of heartbeat answers. */
    Times lateness() {
        lateness = new Times();
        return lateness;
    }

    /**
     * Passes if no request of an agent has failed.
     *
     * @throws BenchFailed the first failure
     */
    void requireNoFailure() {
        BenchFailed first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    /** Deregisters all agents. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            for (SimulatedAgent agent : agents) {
                agent.leave();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
