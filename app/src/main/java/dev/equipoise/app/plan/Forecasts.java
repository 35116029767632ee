package dev.equipoise.app.plan;

import dev.equipoise.app.computing.ComputingThread;
import dev.equipoise.app.computing.ComputingThreads;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Forecast;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.RunStarted;
import dev.equipoise.app.run.RunStarted.Taken;
import dev.equipoise.app.worker.Workers;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Predicts runs as they start, from what is known of their workers. */
@Service
class Forecasts implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(Forecasts.class);
    private static final int MOST_WAITING = 10_000;

    /**
     * Who has started a run has its connection to the database still: where all that there are
     * belong to such, each would wait for another one.
     */
    private final ComputingThread thread;

    private final Hands hands;
    private final Workers workers;
    private final Predictions predictions;
    private final TransactionTemplate transaction;

    Forecasts(
            Hands hands,
            Workers workers,
            Predictions predictions,
            PlatformTransactionManager transactions,
            ComputingThreads threads) {
        this.thread = threads.create("predicting", MOST_WAITING);
        this.hands = hands;
        this.workers = workers;
        this.predictions = predictions;
        this.transaction = new TransactionTemplate(transactions);
    }

    /** Keeps the prediction with the run soon; none where a speed is not known. */
    @TransactionalEventListener
    void on(RunStarted started) {
        attempt(started, () -> thread.start(() -> attempt(started, () -> keep(started))));
    }

    private void keep(RunStarted started) {
        transaction.executeWithoutResult(_ -> predict(started));
    }

    /** The run goes on without: what is predicted is no part of it. */
    private static void attempt(RunStarted started, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            log.error("run {} could not be predicted", started.run(), failure);
        }
    }

    @Override
    public void destroy() {
        thread.close();
    }

    private void predict(RunStarted started) {
        RunConfiguration configuration = started.configuration();
        // What a definition's replicas would take is no prediction for fewer of them.
        if (configuration.repeats().isPresent()
                || started.ranks().size() < configuration.workersWanted()) {
            return;
        }
        forecast(started, new Calibration(predictions.validated()))
                .ifPresent(it -> predictions.keep(started.run(), it));
    }

    private Optional<Forecast> forecast(RunStarted started, Calibration calibration) {
        Crew crew = crew(started);
        if (!crew.isKnown()) {
            return Optional.empty();
        }
        Hybrid hybrid = started.hybrid();
        if (hybrid != null) {
            return Optional.of(
                    Forecasting.ofHybrid(
                            started.configuration(),
                            hybrid,
                            crew.paces(),
                            Optional.empty(),
                            calibration));
        }
        TimeModel model =
                crew.model(started.ranks().stream().map(Taken::share).toList())
                        .rehearsed(started.allReduceSeconds());
        return Optional.of(new Forecasting(model, calibration).forecast());
    }

    private Crew crew(RunStarted started) {
        return hands.crew(
                started.configuration(),
                started.ranks().stream()
                        .map(Taken::worker)
                        .limit(started.configuration().workersWanted())
                        .map(workers::find)
                        .toList());
    }
}
