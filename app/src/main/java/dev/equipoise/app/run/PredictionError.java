package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;

/** How far the prediction of a completed run was off; never changes once stored. */
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

    PredictionError(Run run, Prediction prediction, double measuredSeconds, Instant now) {
        RunKind kind = RunKind.of(run.configuration());
        this.runId = run.id();
        this.projectId = run.projectId();
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

    Validated validated() {
        return new Validated(
                RunId.of(runId),
                projectId,
                new RunKind(execution, synchronization, topology, compression, channel, network),
                modelSeconds,
                predictedSeconds,
                measuredSeconds);
    }
}
