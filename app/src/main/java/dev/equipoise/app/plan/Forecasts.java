package dev.equipoise.app.plan;

import dev.equipoise.app.computing.ComputeThread;
import dev.equipoise.app.computing.ComputeThreads;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.Forecast;
import dev.equipoise.app.problem.DatabaseFailureLog;
import dev.equipoise.app.run.HybridAllocationView;
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

/** Predicts each run when it starts, and stores the prediction with the run. */
@Service
class Forecasts implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(Forecasts.class);
    private static final int MAX_WAITING = 10_000;

    /**
     * A separate thread: the caller still holds its database connection when the run has started.
     * If all callers took a second one, the pool could deadlock.
     */
    private final ComputeThread thread;

    private final CandidateWorkerFinder finder;
    private final Workers workers;
    private final Predictions predictions;
    private final TransactionTemplate transaction;

    Forecasts(
            CandidateWorkerFinder finder,
            Workers workers,
            Predictions predictions,
            PlatformTransactionManager transactions,
            ComputeThreads threads) {
        this.thread = threads.create("prediction", MAX_WAITING);
        this.finder = finder;
        this.workers = workers;
        this.predictions = predictions;
        this.transaction = new TransactionTemplate(transactions);
    }

    /** Starts the prediction of a run; there is none if the speed of a rank is unknown. */
    @TransactionalEventListener
    void on(RunStarted started) {
        attempt(started, () -> thread.start(() -> attempt(started, () -> keep(started))));
    }

    private void keep(RunStarted started) {
        transaction.executeWithoutResult(_ -> predict(started));
    }

    /** Runs a step; logs a failure, as the run continues without prediction. */
    private static void attempt(RunStarted started, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            if (DatabaseFailureLog.report(failure).isEmpty()) {
                log.error("prediction of run {} failed", started.run(), failure);
            }
        }
    }

    @Override
    public void destroy() {
        thread.close();
    }

    private void predict(RunStarted started) {
        RunConfiguration configuration = started.configuration();
        // The model predicts all replicas of a definition, not fewer of them.
        if (configuration.repeats().isPresent()
                || started.ranks().size() < configuration.workersWanted()) {
            return;
        }
        forecast(started, new BiasCorrection(predictions.validated()))
                .ifPresent(it -> predictions.keep(started.run(), it));
    }

    private Optional<Forecast> forecast(RunStarted started, BiasCorrection biasCorrection) {
        PlanCandidate candidate = candidate(started);
        if (!candidate.isKnown()) {
            return Optional.empty();
        }
        HybridAllocationView hybrid = started.hybrid();
        if (hybrid != null) {
            return Optional.of(
                    EpochForecaster.ofHybrid(
                            started.configuration(),
                            hybrid,
                            candidate.stepTimes(),
                            Optional.empty(),
                            biasCorrection));
        }
        EpochTimeModel model =
                candidate
                        .model(started.ranks().stream().map(Taken::share).toList())
                        .calibrated(started.allReduceSeconds());
        return Optional.of(new EpochForecaster(model, biasCorrection).forecast());
    }

    private PlanCandidate candidate(RunStarted started) {
        return finder.planCandidate(
                started.configuration(),
                started.ranks().stream()
                        .map(Taken::worker)
                        .limit(started.configuration().workersWanted())
                        .map(workers::find)
                        .toList());
    }
}
