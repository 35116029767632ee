package dev.equipoise.app.prediction;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.RunId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;

/** Predicted and measured epoch time of a completed run; immutable once stored. */
@Entity
class PredictionError {

    @Id private UUID runId;
    private UUID projectId;
    private String execution;
    private String synchronization;
    private String topology;
    private String compression;
    private String channel;
    private String network;
    private double modelSeconds;
    private double predictedSeconds;
    private double measuredSeconds;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private Instant completedAt;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected PredictionError() {}

    PredictionError(
            UUID run,
            UUID project,
            RunConfiguration configuration,
            Prediction prediction,
            double measuredSeconds,
            Instant now) {
        PredictionClass kind = PredictionClass.of(configuration);
        this.runId = run;
        this.projectId = project;
        this.execution = kind.execution();
        this.synchronization = kind.synchronization();
        this.topology = kind.topology();
        this.compression = kind.compression();
        this.channel = kind.channel();
        this.network = kind.network();
        this.modelSeconds = prediction.modelSeconds();
        this.predictedSeconds = prediction.epochSeconds();
        this.measuredSeconds = measuredSeconds;
        this.completedAt = now;
    }

    PredictionOutcome outcome() {
        return new PredictionOutcome(
                RunId.of(runId),
                projectId,
                new PredictionClass(
                        execution, synchronization, topology, compression, channel, network),
                modelSeconds,
                predictedSeconds,
                measuredSeconds);
    }
}
