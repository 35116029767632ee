package dev.equipoise.app.prediction;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.Locale;

/**
 * Class of runs whose prediction errors are comparable.
 *
 * @param execution {@code real}, or {@code virtual} for every other clock
 * @param synchronization kind of the method, with the suffix hybrid where ranks share hidden units,
 *     and overlapped or buckets where gradients travel in buckets
 * @param topology kind of the topology, for an all-reduce with its algorithm
 * @param compression kind of the codec
 * @param channel transport between the ranks
 * @param network name of the architecture
 */
public record PredictionClass(
        String execution,
        String synchronization,
        String topology,
        String compression,
        String channel,
        String network) {

    private static final String REAL = "real";

    public static PredictionClass of(RunConfiguration configuration) {
        return new PredictionClass(
                configuration.execution() instanceof Execution.Real ? REAL : "virtual",
                synchronization(configuration.synchronization())
                        + variant(configuration.synchronization())
                        + (configuration.partitioning() instanceof Partitioning.Hybrid
                                ? " hybrid"
                                : ""),
                topology(configuration.topology()),
                compression(configuration.compression()),
                configuration.channel() == ChannelKind.DIRECT ? "direct" : "hazelcast",
                configuration.architecture().name());
    }

    /** Returns the kind as in a definition. */
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

    /**
     * Returns the suffix of a method whose gradients travel in buckets or a queue, else nothing.
     */
    public static String variant(Synchronization synchronization) {
        return switch (synchronization) {
            case Synchronization.Bsp bsp when bsp.isOverlapped() -> " overlapped";
            case Synchronization.Bsp bsp when bsp.hasBuckets() -> " buckets";
            case Synchronization.Async async when async.isQueued() -> " queued";
            case Synchronization.Bsp _,
                    Synchronization.Async _,
                    Synchronization.LocalSgd _,
                    Synchronization.DiLoCo _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    "";
        };
    }

    /** Returns the kind as in a definition, followed by the algorithm of an all-reduce. */
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

    /** Whether the runs use the real clock. */
    @JsonIgnore
    public boolean isReal() {
        return execution.equals(REAL);
    }
}
