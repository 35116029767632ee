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
 */
public record Scenario(
        Method method,
        int rounds,
        List<Double> computeSeconds,
        List<Integer> batches,
        Noise noise,
        Links links,
        Traffic traffic) {

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
                        traffic.addSecondsPerByte()));
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
