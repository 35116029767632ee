package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.Models;
import dev.equipoise.app.prediction.PredictionStore;
import dev.equipoise.app.queue.QueuePosition;
import dev.equipoise.app.telemetry.EpochStore;
import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.app.telemetry.MetricStore;
import dev.equipoise.app.telemetry.RankTimeStore;
import dev.equipoise.protocol.RunId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Assembles the views of single runs from all that is stored of them. */
@Component
class RunViews {

    private final RunRankRepository runRanks;
    private final PredictionStore predictions;
    private final EpochStore epochs;
    private final EventLog log;
    private final MetricStore metrics;
    private final RankTimeStore times;
    private final Models models;
    private final RunNotes notes;

    RunViews(
            RunRankRepository runRanks,
            PredictionStore predictions,
            EpochStore epochs,
            EventLog log,
            MetricStore metrics,
            RankTimeStore times,
            Models models,
            RunNotes notes) {
        this.runRanks = runRanks;
        this.predictions = predictions;
        this.epochs = epochs;
        this.log = log;
        this.metrics = metrics;
        this.times = times;
        this.models = models;
        this.notes = notes;
    }

    /**
     * Returns the view of a run.
     *
     * @param queue null unless it is queued
     */
    RunView of(Run run, @Nullable QueuePosition queue) {
        return RunView.of(
                run,
                Progress.of(runRanks, List.of(run)).apply(run),
                queue,
                new RunView.Details(
                        runRanks.findByKeyRunIdOrderByKeyRank(run.id()),
                        predictions.ranks(run.id()),
                        epochs.of(run.id()),
                        log.epochTimes(run.id()),
                        times.of(run.id()),
                        metrics.dropped(run.id()),
                        model(run),
                        notes.of(run.id())));
    }

    private @Nullable ModelView model(Run run) {
        boolean isOfReplica = RunModels.isOfReplica(run.configuration());
        return models.find(RunId.of(run.id()))
                .filter(it -> !it.isRemoved())
                .map(it -> ModelView.of(it, isOfReplica))
                .orElse(null);
    }
}
