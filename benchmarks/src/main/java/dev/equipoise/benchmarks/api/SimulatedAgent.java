package dev.equipoise.benchmarks.api;

import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.WorkerId;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Simulated agent, which behaves like a real one towards the service. */
final class SimulatedAgent {

    static final Duration PERIOD = Duration.ofSeconds(5);

    private static final int LEASE_SECONDS = 20;
    private static final int FIRST_PORT = 10_000;
    private static final long MEMORY = 8L << 30;

    private final Api api;
    private final WorkerId id;
    private final String clusterAddress;
    private final Behavior behavior;

    private SimulatedAgent(Api api, WorkerId id, String clusterAddress, Behavior behavior) {
        this.api = api;
        this.id = id;
        this.clusterAddress = clusterAddress;
        this.behavior = behavior;
    }

    /**
     * Registers an agent with its own join token.
     *
     * @param number from 0
     * @param label by which definitions select it
     */
    static SimulatedAgent join(
            Api administrator, int number, String label, Behavior behavior, SecureRandom random)
            throws InterruptedException {
        String name = "simulated-%s-%d".formatted(label, number);
        Credential credential = Credential.random(random);
        String clusterAddress = "127.0.0.1:" + (FIRST_PORT + number);
        var host = new HostDescription(name, 2, 1, MEMORY, "simulated", "none", 1);
        var registration =
                new Registration(name, host, clusterAddress, Map.of("bench", label), credential);
        Api joining = administrator.as(administrator.joinToken(name));
        Admission admission = joining.post("agents", registration, Admission.class);
        return new SimulatedAgent(
                administrator.as(credential.text()), admission.worker(), clusterAddress, behavior);
    }

    WorkerId id() {
        return id;
    }

    /**
     * Sends heartbeats until it is interrupted.
     *
     * @param sees the agents that are in the cluster at the moment
     * @param acknowledged receives the due time of each answered heartbeat, as a value of {@link
     *     System#nanoTime}
     */
    void sendHeartbeats(
            Schedule schedule, Supplier<Set<WorkerId>> sees, Consumer<Long> acknowledged)
            throws InterruptedException {
        while (true) {
            long due = schedule.await();
            api.post(
                    "agents/%s/heartbeat".formatted(id),
                    new Heartbeat(clusterAddress, sees.get(), false),
                    HeartbeatReply.class);
            acknowledged.accept(due);
        }
    }

    /** Leases and performs assignments until it is interrupted. */
    void work() throws InterruptedException {
        String lease = "agents/%s/lease?wait=%d".formatted(id, LEASE_SECONDS);
        while (true) {
            var assignment = api.poll(lease, Assignment.class);
            if (assignment.isPresent()
                    && assignment.get() instanceof Assignment.Simulation simulation) {
                behavior.perform(simulation, new Reporting(api, simulation));
            }
        }
    }

    void leave() throws InterruptedException {
        api.delete("agents/" + id);
    }
}
