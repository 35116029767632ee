package dev.equipoise.app.run;

import dev.equipoise.app.prediction.Forecast;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.prediction.PredictionOutcome;
import dev.equipoise.app.prediction.PredictionStore;
import dev.equipoise.app.telemetry.RunFigures;
import dev.equipoise.protocol.RunId;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Stores the predictions of runs, and their errors once the runs have completed. */
@Service
public class Predictions {

    private static final Logger log = LoggerFactory.getLogger(Predictions.class);

    private final RunLocks locks;
    private final PredictionStore store;
    private final RunEvents runEvents;

    Predictions(RunLocks locks, PredictionStore store, RunEvents runEvents) {
        this.locks = locks;
        this.store = store;
        this.runEvents = runEvents;
    }

    /** Stores the prediction of a run that has started and may have ended by now. */
    @Transactional
    public void keep(RunId id, Forecast forecast) {
        Run run = locks.lock(id);
        run.predict(forecast.prediction());
        if (!run.state().isTerminal()) {
            runEvents.append(run.id(), new RunEvent.Predicted(forecast.prediction()));
        }
        store.keep(run.id(), forecast.ranks());
        if (run.state() == RunState.COMPLETED) {
            validate(run);
        }
        log.info("run predicted: {}: {} s an epoch", id, forecast.prediction().epochSeconds());
    }

    /** Returns the outcomes of the newest completed runs of the whole lab that had a prediction. */
    @Transactional(readOnly = true)
    public List<PredictionOutcome> validated() {
        return store.validated();
    }

    /** Stores the prediction error of a completed run, if it kept its first workers. */
    void validate(Run run) {
        Prediction prediction = run.prediction();
        RunFigures measured = run.measured();
        if (prediction != null && measured != null && run.generation() <= 1) {
            store.validate(
                    run.id(),
                    run.projectId(),
                    run.configuration(),
                    prediction,
                    measured.epochSeconds());
        }
    }
}
