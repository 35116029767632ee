package dev.equipoise.app.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
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
 * @param compression by its kind
 * @param network by the name of its architecture
 */
public record RunKind(
        String execution,
        String synchronization,
        String topology,
        String compression,
        String channel,
        String network) {

    private static final String REAL = "real";

    public static RunKind of(RunConfiguration configuration) {
        return new RunKind(
                configuration.execution() instanceof Execution.Real ? REAL : "virtual",
                synchronization(configuration.synchronization())
                        + (configuration.partitioning() instanceof Partitioning.Hybrid
                                ? " hybrid"
                                : ""),
                topology(configuration.topology()),
                compression(configuration.compression()),
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

    private static String compression(Compression compression) {
        return switch (compression) {
            case Compression.None _ -> "none";
            case Compression.Threshold _ -> "threshold";
            case Compression.AdaptiveThreshold _ -> "adaptive-threshold";
            case Compression.TopK _ -> "top-k";
            case Compression.RandomK _ -> "random-k";
            case Compression.Qsgd _ -> "qsgd";
            case Compression.Sign _ -> "sign";
            case Compression.PowerSgd _ -> "power-sgd";
            case Compression.SampledRows _ -> "sampled-rows";
        };
    }

    /** Whether its clock is. */
    @JsonIgnore
    public boolean isReal() {
        return execution.equals(REAL);
    }
}
