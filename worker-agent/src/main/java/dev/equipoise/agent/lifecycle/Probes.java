package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.cluster.HostAndPort;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.ProbeKey;
import dev.equipoise.protocol.ProbeRequest;
import dev.equipoise.protocol.ProbeResult;
import dev.equipoise.protocol.WorkerId;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Tries the data addresses of other workers when the service asks for it, and keeps the results
 * until a heartbeat has delivered them. Each probe has a thread of its own, and at most {@link
 * Heartbeat#MAX_PROBES} are under way: the service repeats a request that finds no place.
 * Thread-safe.
 */
final class Probes {

    private final Executor threads;
    private final Probe probe;
    private final Set<WorkerId> underWay = ConcurrentHashMap.newKeySet();
    private final Map<WorkerId, ProbeResult> results = new ConcurrentHashMap<>();

    /** Attempt to reach a worker. */
    @FunctionalInterface
    interface Probe {

        /**
         * Returns why the worker cannot be reached at this address; empty if it can.
         *
         * @param key by which the worker proves that it answers; null if it has none
         */
        Optional<String> failure(InetSocketAddress address, @Nullable ProbeKey key);
    }

    /**
     * @param threads starts a thread for each task
     */
    Probes(Executor threads, Probe probe) {
        this.threads = threads;
        this.probe = probe;
    }

    /** Begins probes, unless one of the same worker is under way. Does not wait for them. */
    void begin(List<ProbeRequest> requests) {
        for (ProbeRequest request : requests) {
            if (underWay.size() < Heartbeat.MAX_PROBES && underWay.add(request.worker())) {
                threads.execute(() -> perform(request));
            }
        }
    }

    private void perform(ProbeRequest request) {
        try {
            String failure =
                    HostAndPort.parse(request.address())
                            .map(HostAndPort::toSocketAddress)
                            .map(it -> probe.failure(it, request.key()))
                            .orElse(Optional.of("the address is malformed"))
                            .orElse(null);
            results.put(
                    request.worker(),
                    new ProbeResult(request.worker(), request.address(), failure));
        } finally {
            underWay.remove(request.worker());
        }
    }

    /** Returns results that the service has not confirmed, as many as a heartbeat may have. */
    List<ProbeResult> results() {
        return results.values().stream().limit(Heartbeat.MAX_PROBES).toList();
    }

    /** Forgets results that a heartbeat has delivered, unless newer ones have replaced them. */
    void delivered(List<ProbeResult> some) {
        some.forEach(it -> results.remove(it.worker(), it));
    }
}
