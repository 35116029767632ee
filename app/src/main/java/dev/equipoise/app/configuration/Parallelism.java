package dev.equipoise.app.configuration;

import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
import java.util.Objects;

/**
 * The parallelism of a run: how its ranks share the work and exchange what they have learned.
 *
 * @param workers workers that the run needs
 * @param partitioning division of the samples among the ranks
 * @param synchronization rule by which replicas synchronize
 * @param topology topology of their communication
 * @param compression codec of what they send
 * @param channel transport between the ranks
 */
public record Parallelism(
        WantedWorkers workers,
        Partitioning partitioning,
        Synchronization synchronization,
        Topology topology,
        Compression compression,
        ChannelKind channel) {

    /**
     * The workers that a run needs.
     *
     * @param replicas number of replicas
     * @param minimum least number of replicas with which the run continues after losses; all
     *     replicas in configurations stored before this field
     * @param selector labels that every worker must have
     */
    @Schema(name = "RunConfiguration.Workers")
    public record WantedWorkers(int replicas, Integer minimum, Map<String, String> selector) {

        public WantedWorkers {
            minimum = Objects.requireNonNullElse(minimum, replicas);
            selector = Map.copyOf(selector);
        }

        /** Requires all replicas. */
        public WantedWorkers(int replicas, Map<String, String> selector) {
            this(replicas, replicas, selector);
        }
    }

    Parallelism with(Synchronization other) {
        return new Parallelism(workers, partitioning, other, topology, compression, channel);
    }
}
