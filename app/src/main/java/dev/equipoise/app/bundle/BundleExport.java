package dev.equipoise.app.bundle;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.measurement.SpeedCurves;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.FinishedRuns;
import dev.equipoise.app.run.FinishedRuns.Outcome;
import dev.equipoise.app.run.RunView;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.WorkerId;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/** Exports experiments as bundles. */
@Service
class BundleExport {

    private static final Comparator<WorkerId> BY_ID = Comparator.comparing(WorkerId::value);
    private static final String CONFIGURATIONS = "configurations.json";

    private final Experiments experiments;
    private final FinishedRuns runs;
    private final Workers workers;
    private final SpeedCurves curves;
    private final JsonMapper json;
    private final String product;

    BundleExport(
            Experiments experiments,
            FinishedRuns runs,
            Workers workers,
            SpeedCurves curves,
            JsonMapper json,
            @Value("${spring.application.version:unreleased}") String product) {
        this.experiments = experiments;
        this.runs = runs;
        this.workers = workers;
        this.curves = curves;
        this.json = json;
        this.product = product;
    }

    /** An experiment at a version whose runs have all ended, with the runs. */
    record Finished(StoredExperiment experiment, List<Outcome> runs) {}

    /**
     * Returns the content of a bundle.
     *
     * @param version null for the newest
     * @throws Problem {@code not-found}, also for an experiment of a hidden project; {@code
     *     illegal-state} while a run has not ended
     */
    Finished finished(Caller.User caller, UUID id, @Nullable Integer version) {
        StoredExperiment experiment = experiments.find(caller, id, version);
        return new Finished(experiment, runs.all(caller, experiment));
    }

    /** Writes each run as soon as it is read, so that only one run is in memory. */
    void write(Caller.User caller, Finished finished, OutputStream out) throws IOException {
        StoredExperiment experiment = finished.experiment();
        BundleWriter bundle = new BundleWriter(out, json);
        bundle.add(BundleFiles.DEFINITION, experiment.definition());
        bundle.add(CONFIGURATIONS, experiment.configurations());
        Instant asOf = experiment.definedAt();
        Map<WorkerId, Set<String>> networks = new TreeMap<>(BY_ID);
        for (int number = 1; number <= finished.runs().size(); number++) {
            RunView run = runs.find(caller, finished.runs().get(number - 1).run());
            String name = String.format(Locale.ROOT, "%04d.json", number);
            bundle.add(
                    BundleFiles.RUNS + "/" + name, StudyRun.of(run, runs.links(caller, run.id())));
            List<Decided> order = runs.order(caller, run);
            if (!order.isEmpty()) {
                bundle.add("orders/" + name, order);
            }
            asOf = run.endedAt() != null && run.endedAt().isAfter(asOf) ? run.endedAt() : asOf;
            String network = run.configuration().architecture().name();
            run.replicas()
                    .forEach(it ->
                            networks.computeIfAbsent(it.worker(), _ -> new TreeSet<>())
                                    .add(network));
        }
        bundle.add(
                BundleFiles.WORKERS,
                new StudyWorkers(
                        networks.entrySet().stream()
                                .map(it -> worker(it.getKey(), it.getValue()))
                                .toList()));
        bundle.finish(
                product,
                asOf,
                new Manifest.ExportedExperiment(
                        experiment.id(), experiment.name(), experiment.version()));
    }

    private StudyWorkers.StudyWorker worker(WorkerId id, Set<String> networks) {
        LabWorker worker = workers.find(id);
        return new StudyWorkers.StudyWorker(
                id,
                worker.name(),
                worker.host(),
                networks.stream().flatMap(it -> curves.recorded(id, it).stream()).toList());
    }
}
