package dev.equipoise.performance.simulation;

import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.List;

/**
 * Inputs of a simulated run.
 *
 * @param rounds of the run
 * @param computeSeconds of a round, by replica, without noise
 * @param batches mini-batches of a round, by replica
 * @param links between any two ranks; servers have the first numbers
 * @param serving how servers gather and broadcast, if there are any
 * @param buckets of the gradient, in the order of their exchange; empty if it travels as a whole
 */
public record Scenario(
        Method method,
        int rounds,
        List<Double> computeSeconds,
        List<Integer> batches,
        Noise noise,
        Links links,
        Traffic traffic,
        Serving serving,
        List<GradientBucket> buckets) {

    public Scenario {
        computeSeconds = List.copyOf(computeSeconds);
        batches = List.copyOf(batches);
        buckets = List.copyOf(buckets);
        if (rounds < 1 || computeSeconds.isEmpty() || batches.size() != computeSeconds.size()) {
            throw new IllegalArgumentException(
                    ("%d rounds of %s s with %s mini-batches are out of range: at least 1 round"
                                    + " and 1 replica, with mini-batches for each")
                            .formatted(rounds, computeSeconds, batches));
        }
        computeSeconds.forEach(Scenario::requireTime);
        requirePlayable(method);
        if (!serving.equals(Serving.AT_ONCE)) {
            requireCollective(method, serving);
            requireWhole(traffic, serving);
        }
        if (!buckets.isEmpty()) {
            requireDivisible(method, serving);
            requireAllBytes(traffic, buckets);
        }
    }

    /** Creates a scenario whose gradient travels as a whole. */
    public Scenario(
            Method method,
            int rounds,
            List<Double> computeSeconds,
            List<Integer> batches,
            Noise noise,
            Links links,
            Traffic traffic,
            Serving serving) {
        this(method, rounds, computeSeconds, batches, noise, links, traffic, serving, List.of());
    }

    /** Creates a scenario whose servers, if any, receive frames as they come. */
    public Scenario(
            Method method,
            int rounds,
            List<Double> computeSeconds,
            List<Integer> batches,
            Noise noise,
            Links links,
            Traffic traffic) {
        this(method, rounds, computeSeconds, batches, noise, links, traffic, Serving.AT_ONCE);
    }

    private static void requirePlayable(Method method) {
        boolean isServed = method.topology().servers() > 0;
        boolean isPlayable =
                switch (method.synchronization()) {
                    case Synchronization.StaleSynchronous _ -> isServed;
                    case Synchronization.Async async ->
                            isServed
                                    || (method.topology() instanceof Topology.AllReduce
                                            && isBounded(async));
                    case Synchronization.Bsp _,
                            Synchronization.LocalSgd _,
                            Synchronization.DiLoCo _,
                            Synchronization.AdPsgd _ ->
                            true;
                };
        if (!isPlayable) {
            throw new IllegalArgumentException(
                    "synchronization %s cannot run over topology %s"
                            .formatted(method.synchronization(), method.topology()));
        }
    }

    private static boolean isBounded(Synchronization.Async async) {
        return async.isQueued() ? async.inFlight() != null : async.maxStaleness() != null;
    }

    /**
     * Rejects collectives at several servers, in other than lockstep rounds, and of frames that a
     * tree cannot sum.
     */
    private static void requireCollective(Method method, Serving serving) {
        boolean isSummable = serving.way() != Serving.Way.TREE || method.compression().isLinear();
        boolean isOneServer =
                method.topology()
                                instanceof
                                Topology.ParameterServer(int servers, boolean perLayer, var _)
                        && servers == 1
                        && perLayer == serving.isLayered();
        if (!isLockstep(method.synchronization()) || !isSummable || !isOneServer) {
            throw new IllegalArgumentException(
                    ("%s with %s over %s cannot be gathered %s in %d layers: use lockstep rounds,"
                                    + " one server and, on a tree, a linear codec")
                            .formatted(
                                    method.synchronization(),
                                    method.compression(),
                                    method.topology(),
                                    serving.way(),
                                    serving.layers().size()));
        }
    }

    private static boolean isLockstep(Synchronization synchronization) {
        return switch (synchronization) {
            case Synchronization.Bsp _, Synchronization.LocalSgd _, Synchronization.DiLoCo _ ->
                    true;
            case Synchronization.StaleSynchronous _,
                    Synchronization.Async _,
                    Synchronization.AdPsgd _ ->
                    false;
        };
    }

    private static void requireWhole(Traffic traffic, Serving serving) {
        long bytes = serving.layers().stream().mapToLong(Long::longValue).sum();
        if (serving.isLayered() && bytes != traffic.vectorBytes()) {
            throw new IllegalArgumentException(
                    "the layers sum to %d bytes, the vector has %d"
                            .formatted(bytes, traffic.vectorBytes()));
        }
    }

    /** Rejects buckets of anything but the uncompressed gradient of a round. */
    private static void requireDivisible(Method method, Serving serving) {
        if (!(method.synchronization() instanceof Synchronization.Bsp)
                || method.topology() instanceof Topology.Gossip
                || !(method.compression() instanceof Compression.None)
                || !serving.equals(Serving.AT_ONCE)) {
            throw new IllegalArgumentException(
                    ("%s with %s over %s has no buckets: use bsp without compression, over an"
                                    + " all-reduce or servers that receive frames as they come")
                            .formatted(
                                    method.synchronization(),
                                    method.compression(),
                                    method.topology()));
        }
    }

    private static void requireAllBytes(Traffic traffic, List<GradientBucket> buckets) {
        long bytes = buckets.stream().mapToLong(GradientBucket::bytes).sum();
        if (bytes != traffic.vectorBytes()) {
            throw new IllegalArgumentException(
                    "the buckets sum to %d bytes, the vector has %d"
                            .formatted(bytes, traffic.vectorBytes()));
        }
    }

    private static void requireTime(double seconds) {
        if (!(seconds >= 0 && seconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "computeSeconds %s is out of range: at least 0 and finite".formatted(seconds));
        }
    }

    /** Returns this scenario without compression. */
    Scenario uncompressed() {
        return new Scenario(
                new Method(method.synchronization(), method.topology(), new Compression.None()),
                rounds,
                computeSeconds,
                batches,
                noise,
                links,
                traffic.uncompressed(),
                serving);
    }

    /** Returns a scenario that exchanges one bucket of this one. */
    Scenario of(GradientBucket bucket) {
        double bytes = bucket.bytes();
        return new Scenario(
                method,
                rounds,
                computeSeconds,
                batches,
                noise,
                links,
                new Traffic(bucket.bytes(), bytes, bytes, 0, traffic.addSecondsPerByte()));
    }

    /** Returns this scenario with the gradient in buckets. */
    public Scenario in(List<GradientBucket> newBuckets) {
        return new Scenario(
                method,
                rounds,
                computeSeconds,
                batches,
                noise,
                links,
                traffic,
                serving,
                newBuckets);
    }

    int replicas() {
        return computeSeconds.size();
    }

    int servers() {
        return method.topology().servers();
    }

    /** Returns whether there is a partner: another replica or a server. */
    boolean isExchanging() {
        return replicas() > 1 || servers() > 0;
    }
}
