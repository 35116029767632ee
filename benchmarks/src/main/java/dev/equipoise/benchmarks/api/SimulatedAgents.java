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

/** Agents of one label, each of which sees all the others, as those of one cluster do. */
final class SimulatedAgents implements AutoCloseable {

    private final Set<WorkerId> cluster = ConcurrentHashMap.newKeySet();
    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<@Nullable BenchFailed> failure = new AtomicReference<>();
    private volatile Times lateness = new Times();
    private volatile Set<WorkerId> seen = Set.of();

    private SimulatedAgents() {}

    /** Lets so many join, one after the other; each is at work as soon as it has. */
    static SimulatedAgents join(Api administrator, int count, String label, Body body)
            throws InterruptedException {
        var all = new SimulatedAgents();
        var random = new SecureRandom();
        for (int number = 0; number < count; number++) {
            all.begin(SimulatedAgent.join(administrator, number, label, body, random));
        }
        return all;
    }

    private void begin(SimulatedAgent agent) {
        agents.add(agent);
        cluster.add(agent.id());
        seen = Set.copyOf(cluster);
        Duration offset =
                Duration.ofMillis(
                        ThreadLocalRandom.current().nextLong(SimulatedAgent.BEAT.toMillis()));
        Schedule schedule = Schedule.every(SimulatedAgent.BEAT, offset);
        start(() -> agent.beat(schedule, () -> seen, due -> lateness.addSince(due)));
        start(agent::work);
    }

    private interface Duty {
        void run() throws InterruptedException;
    }

    private void start(Duty duty) {
        threads.execute(() -> {
            try {
                duty.run();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (BenchFailed e) {
                failure.compareAndSet(null, e);
            }
        });
    }

    /** How late heartbeats are answered, from now on. */
    Times lateness() {
        lateness = new Times();
        return lateness;
    }

    /**
     * Passes if no request of theirs was refused.
     *
     * @throws BenchFailed with the first refusal
     */
    void requireSound() {
        BenchFailed first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    /** All take their leave. */
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
