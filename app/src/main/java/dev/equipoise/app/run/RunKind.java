package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.Locale;

/**
 * What runs have in common where the error of one prediction tells of that of another.
 *
 * @param execution {@code real}, or {@code virtual} for all whose clock is not
 * @param synchronization by its kind; behind it, whether hidden units are shared
 * @param topology by its kind, of an all-reduce with its algorithm
 * @param network by the name of its architecture
 */
public record RunKind(
        String execution, String synchronization, String topology, String channel, String network) {

    public static RunKind of(RunConfiguration configuration) {
        return new RunKind(
                configuration.execution() instanceof Execution.Real ? "real" : "virtual",
                synchronization(configuration.synchronization())
                        + (configuration.partitioning() instanceof Partitioning.Hybrid
                                ? " hybrid"
                                : ""),
                topology(configuration.topology()),
                configuration.channel() == ChannelKind.DIRECT ? "direct" : "hazelcast",
                configuration.architecture().name());
    }

    /** As definitions have it. */
    public static String synchronization(Synchronization synchronization) {
        return switch (synchronization) {
            case Synchronization.Bsp _ -> "bsp";
            case Synchronization.LocalSgd _ -> "local-sgd";
            case Synchronization.DiLoCo _ -> "diloco";
            case Synchronization.Async _ -> "async";
            case Synchronization.StaleSynchronous _ -> "stale-synchronous";
            case Synchronization.AdPsgd _ -> "ad-psgd";
        };
    }

    /** As definitions have it, the algorithm of an all-reduce behind it. */
    public static String topology(Topology topology) {
        return switch (topology) {
            case Topology.AllReduce(var algorithm, var _) ->
                    "all-reduce " + algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
            case Topology.ParameterServer _ -> "parameter-server";
            case Topology.Gossip _ -> "gossip";
        };
    }
}
