package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.Load;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.Forecast;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.RunStarted;
import dev.equipoise.app.run.RunStarted.Taken;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private final Profiles profiles;
    private final Links links;
    private final Workers workers;
    private final Predictions predictions;
    private final TransactionTemplate transaction;

    Forecasts(
            Profiles profiles,
            Links links,
            Workers workers,
            Predictions predictions,
            PlatformTransactionManager transactions) {
        this.profiles = profiles;
        this.links = links;
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
        Hybrid hybrid = started.hybrid();
        if (hybrid != null) {
            predictions.keep(
                    started.run(),
                    new Forecast(hybrid.prediction(configuration.rounds()), List.of()));
            return;
        }
        Optional<List<Pace>> paces = paces(started);
        if (paces.isEmpty()) {
            return;
        }
        TimeModel model =
                new TimeModel(
                                configuration,
                                started.ranks().stream().map(Taken::share).toList(),
                                paces.get(),
                                linksOf(started))
                        .rehearsed(started.allReduceSeconds());
        predictions.keep(
                started.run(),
                new Forecasting(model, new Calibration(predictions.validated())).forecast());
    }

    private LinkCosts linksOf(RunStarted started) {
        return started.configuration().execution() instanceof Execution.Virtual virtual
                ? LinkCosts.told(virtual.link())
                : linksBetween(
                        started.ranks().stream().map(Taken::worker).toList(),
                        started.configuration().channel());
    }

    /** As they were measured, over a channel. */
    LinkCosts linksBetween(List<WorkerId> ranks, ChannelKind channel) {
        return LinkCosts.measured(ranks.size(), links.among(ranks)).over(channel);
    }

    /** Of the replicas in the order of their ranks; empty unless all are known. */
    private Optional<List<Pace>> paces(RunStarted started) {
        RunConfiguration configuration = started.configuration();
        int servers = configuration.topology().servers();
        Map<WorkerId, Optional<Pace>> measured =
                measured(
                        started.ranks().stream()
                                .skip(servers)
                                .map(Taken::worker)
                                .distinct()
                                .toList(),
                        slowDowns(started),
                        configuration);
        List<Pace> paces = new ArrayList<>();
        for (int rank = servers; rank < configuration.ranks(); rank++) {
            WorkerId worker = started.ranks().get(rank).worker();
            Optional<Pace> pace =
                    told(configuration, rank)
                            .or(() -> measured.getOrDefault(worker, Optional.empty()));
            if (pace.isEmpty()) {
                return Optional.empty();
            }
            paces.add(pace.get());
        }
        return Optional.of(paces);
    }

    private static Optional<Pace> told(RunConfiguration configuration, int rank) {
        return configuration.speed(rank).map(speed -> Pace.told(speed, jitter(configuration)));
    }

    private static double jitter(RunConfiguration configuration) {
        return configuration.execution() instanceof Execution.Virtual virtual
                ? virtual.jitter()
                : 0;
    }

    /** On one worker nothing is stretched but the clock. */
    private static Map<WorkerId, Double> slowDowns(RunStarted started) {
        RunConfiguration configuration = started.configuration();
        Map<WorkerId, Double> slowDowns = new HashMap<>();
        if (!configuration.isOnOneWorker()) {
            for (int rank = 0; rank < started.ranks().size(); rank++) {
                slowDowns.put(
                        started.ranks().get(rank).worker(), configuration.slowDownAtFirst(rank));
            }
        }
        return slowDowns;
    }

    /** Of those who compute at the same time, under a load as near to theirs as is known. */
    private Map<WorkerId, Optional<Pace>> measured(
            List<WorkerId> computing,
            Map<WorkerId, Double> slowDowns,
            RunConfiguration configuration) {
        Map<WorkerId, Optional<Pace>> known = new HashMap<>();
        for (List<LabWorker> company :
                Workers.byMachine(computing.stream().map(workers::find).toList())) {
            company.forEach(it ->
                    known.put(
                            it.id(),
                            measured(
                                    it,
                                    Load.of(company, id -> slowDowns.getOrDefault(id, 1.0)),
                                    configuration)));
        }
        return known;
    }

    /** A virtual clock has the jitter that it is told, whatever its worker has. */
    private Optional<Pace> measured(LabWorker worker, Load load, RunConfiguration configuration) {
        List<MeasuredPoint> points =
                profiles.nearest(
                        worker, new Kernel.TrainingStep(configuration.architecture().name()), load);
        if (points.isEmpty()) {
            return Optional.empty();
        }
        Pace pace = Pace.measured(points);
        return Optional.of(
                configuration.isOnOneWorker()
                        ? new Pace(pace.speed(), jitter(configuration), 0)
                        : pace);
    }
}
