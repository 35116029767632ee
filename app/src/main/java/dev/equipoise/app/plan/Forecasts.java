package dev.equipoise.app.plan;

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
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Predicts runs as they start, from what is known of their workers. */
@Service
class Forecasts {

    private static final Logger log = LoggerFactory.getLogger(Forecasts.class);

    private final Hands hands;
    private final Workers workers;
    private final Predictions predictions;
    private final TransactionTemplate transaction;

    Forecasts(
            Hands hands,
            Workers workers,
            Predictions predictions,
            PlatformTransactionManager transactions) {
        this.hands = hands;
        this.workers = workers;
        this.predictions = predictions;
        this.transaction = new TransactionTemplate(transactions);
        // That of the start has been committed.
        transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    /** Keeps the prediction with the run; none where a speed is not known. */
    @TransactionalEventListener
    void on(RunStarted started) {
        try {
            transaction.executeWithoutResult(_ -> predict(started));
        } catch (RuntimeException failure) {
            // The run goes on without: what is predicted is no part of it.
            log.error("run {} could not be predicted", started.run(), failure);
        }
    }

    private void predict(RunStarted started) {
        RunConfiguration configuration = started.configuration();
        if (configuration.repeats().isPresent()) {
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
