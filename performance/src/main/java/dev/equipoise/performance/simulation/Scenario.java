package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.List;

/**
 * Everything on which the time of a run depends.
 *
 * @param rounds of the run
 * @param computeSeconds of a round, by replica, without noise
 * @param batches mini-batches of a round, by replica
 * @param links between any two ranks; those that serve come first
 * @param serving how servers gather and tell, if there are any
 */
public record Scenario(
        Method method,
        int rounds,
        List<Double> computeSeconds,
        List<Integer> batches,
        Noise noise,
        Links links,
        Traffic traffic,
        Serving serving) {

    public Scenario {
        computeSeconds = List.copyOf(computeSeconds);
        batches = List.copyOf(batches);
        if (rounds < 1 || computeSeconds.isEmpty() || batches.size() != computeSeconds.size()) {
            throw new IllegalArgumentException(
                    "%d rounds of %s seconds with %s mini-batches cannot be simulated"
                            .formatted(rounds, computeSeconds, batches));
        }
        computeSeconds.forEach(Scenario::requireTime);
        requirePlayable(method);
        if (!serving.equals(Serving.AT_ONCE)) {
            requireCollective(method, serving);
            requireWhole(traffic, serving);
        }
    }

    /** Servers, if there are any, take all as it comes. */
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
                                            && async.maxStaleness() != null);
                    case Synchronization.Bsp _,
                            Synchronization.LocalSgd _,
                            Synchronization.DiLoCo _,
                            Synchronization.AdPsgd _ ->
                            true;
                };
        if (!isPlayable) {
            throw new IllegalArgumentException(
                    "%s does not go over %s"
                            .formatted(method.synchronization(), method.topology()));
        }
    }

    /** A gather has one root, and all take part in it; frames on a tree are summed on their way. */
    private static void requireCollective(Method method, Serving serving) {
        boolean isSummable = serving.way() != Serving.Way.TREE || method.compression().isLinear();
        boolean isOneServer =
                method.topology()
                                instanceof
                                Topology.ParameterServer(int servers, boolean perLayer, var _)
                        && servers == 1
                        && perLayer == serving.isLayered();
        if (!isInStep(method.synchronization()) || !isSummable || !isOneServer) {
            throw new IllegalArgumentException(
                    "%s with %s over %s cannot be gathered %s in %d layers"
                            .formatted(
                                    method.synchronization(),
                                    method.compression(),
                                    method.topology(),
                                    serving.way(),
                                    serving.layers().size()));
        }
    }

    private static boolean isInStep(Synchronization synchronization) {
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
                    "layers of %d bytes are no vector of %d"
                            .formatted(bytes, traffic.vectorBytes()));
        }
    }

    private static void requireTime(double seconds) {
        if (!(seconds >= 0 && seconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "a round cannot take %s s of computing".formatted(seconds));
        }
    }

    /** The same with vectors as they are. */
    Scenario uncompressed() {
        return new Scenario(
                new Method(method.synchronization(), method.topology(), new Compression.None()),
                rounds,
                computeSeconds,
                batches,
                noise,
                links,
                new Traffic(
                        traffic.vectorBytes(),
                        traffic.vectorBytes(),
                        traffic.vectorBytes(),
                        0,
                        traffic.addSecondsPerByte()),
                serving);
    }

    int replicas() {
        return computeSeconds.size();
    }

    int servers() {
        return method.topology().servers();
    }

    /** A replica alone has nobody to tell, unless there are servers. */
    boolean isExchanging() {
        return replicas() > 1 || servers() > 0;
    }
}
