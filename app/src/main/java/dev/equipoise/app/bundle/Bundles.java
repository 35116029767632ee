package dev.equipoise.app.bundle;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.experiment.StoredExperiment;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.app.run.FinishedRuns;
import dev.equipoise.app.run.FinishedRuns.Outcome;
import dev.equipoise.app.run.RunView;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.WorkerId;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.json.JsonMapper;

/** Writes experiments into bundles, and makes experiments of them. */
@Service
class Bundles {

    static final String DEFINITION = "definition.json";
    static final String WORKERS = "workers.json";
    static final String RUNS = "runs";
    private static final Comparator<WorkerId> BY_ID = Comparator.comparing(WorkerId::value);
    private static final String CONFIGURATIONS = "configurations.json";

    private final Experiments experiments;
    private final Projects projects;
    private final FinishedRuns runs;
    private final Workers workers;
    private final SpeedCurves curves;
    private final ImportedStudyRepository studies;
    private final ImportedRunRepository foreignRuns;
    private final Unpacking unpacking;
    private final TransactionOperations transactions;
    private final JsonMapper json;
    private final Clock clock;
    private final String product;

    Bundles(
            Experiments experiments,
            Projects projects,
            FinishedRuns runs,
            Workers workers,
            SpeedCurves curves,
            ImportedStudyRepository studies,
            ImportedRunRepository foreignRuns,
            Unpacking unpacking,
            TransactionOperations transactions,
            JsonMapper json,
            Clock clock,
            @Value("${spring.application.version:unreleased}") String product) {
        this.experiments = experiments;
        this.projects = projects;
        this.runs = runs;
        this.workers = workers;
        this.curves = curves;
        this.studies = studies;
        this.foreignRuns = foreignRuns;
        this.unpacking = unpacking;
        this.transactions = transactions;
        this.json = json;
        this.clock = clock;
        this.product = product;
    }

    /** An experiment at a version whose runs are over, and these. */
    record Finished(StoredExperiment experiment, List<Outcome> runs) {}

    /**
     * What a bundle would hold.
     *
     * @param version null for the newest
     * @throws Problem {@code not-found}, also where it is another project's; {@code illegal-state}
     *     while a run is not over
     */
    Finished finished(Caller.User caller, UUID id, @Nullable Integer version) {
        StoredExperiment experiment = experiments.find(caller, id, version);
        return new Finished(experiment, runs.all(caller, experiment));
    }

    /** Writes as it reads: there is one run at a time in memory. */
    void write(Caller.User caller, Finished finished, OutputStream out) throws IOException {
        StoredExperiment experiment = finished.experiment();
        BundleWriter bundle = new BundleWriter(out, json);
        bundle.add(DEFINITION, experiment.definition());
        bundle.add(CONFIGURATIONS, experiment.configurations());
        Instant asOf = experiment.definedAt();
        Map<WorkerId, Set<String>> networks = new TreeMap<>(BY_ID);
        for (int number = 1; number <= finished.runs().size(); number++) {
            RunView run = runs.find(caller, finished.runs().get(number - 1).run());
            String name = String.format(Locale.ROOT, "%04d.json", number);
            bundle.add(RUNS + "/" + name, StudyRun.of(run, runs.links(caller, run.id())));
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
                WORKERS,
                new StudyWorkers(
                        networks.entrySet().stream()
                                .map(it -> worker(it.getKey(), it.getValue()))
                                .toList()));
        bundle.finish(
                product,
                asOf,
                new Manifest.Origin(experiment.id(), experiment.name(), experiment.version()));
    }

    private StudyWorkers.StudyWorker worker(WorkerId id, Set<String> networks) {
        LabWorker worker = workers.find(id);
        return new StudyWorkers.StudyWorker(
                id,
                worker.name(),
                worker.host(),
                networks.stream().flatMap(it -> curves.recorded(id, it).stream()).toList());
    }

    /**
     * What became of a bundle.
     *
     * @param isNew whether it was not there before
     */
    record Taken(StoredExperiment experiment, boolean isNew) {}

    /**
     * Makes an experiment of a bundle; of the same one in the same project once.
     *
     * @throws Problem {@code not-found} for another's project, {@code invalid-bundle}, {@code
     *     invalid-definition} where its definition would be refused here, {@code busy}
     */
    Taken take(Caller.User caller, UUID project, byte[] zip) {
        projects.require(caller, Role.EDITOR, project);
        ForeignBundle bundle = unpacking.read(zip);
        return transactions.execute(_ -> store(caller, project, bundle));
    }

    private Taken store(Caller.User caller, UUID project, ForeignBundle bundle) {
        Optional<ImportedStudy> known =
                studies.findByProjectIdAndChecksum(project, bundle.checksum());
        if (known.isPresent()) {
            return new Taken(experiments.find(caller, known.get().getId()), false);
        }
        StoredExperiment made = experiments.define(caller, project, bundle.definition());
        studies.saveAndFlush(
                new ImportedStudy(made, bundle.checksum(), bundle.study(), clock.instant()));
        List<Study.ForeignRun> measured = bundle.runs();
        foreignRuns.saveAll(
                IntStream.range(0, measured.size())
                        .mapToObj(it -> new ImportedRun(made.id(), it + 1, measured.get(it)))
                        .toList());
        return new Taken(made, true);
    }

    /**
     * What came with the bundle of which the experiment was made, with some of its runs.
     *
     * @param cursor where the page before ended; null for the first
     * @throws Problem {@code not-found}, also where it was made of none
     */
    ImportedView imported(Caller.User caller, UUID experiment, @Nullable String cursor, int limit) {
        experiments.find(caller, experiment);
        int after = Cursor.read(cursor, keys -> Integer.valueOf(keys.getFirst())).orElse(0);
        return studies.findById(experiment)
                .map(it -> imported(caller, it, after, limit))
                .orElseThrow(() -> Problem.notFound("imported study of experiment", experiment));
    }

    private ImportedView imported(Caller.User caller, ImportedStudy study, int after, int limit) {
        List<ImportedRun> page =
                foreignRuns.findByKeyExperimentIdAndKeyNumberGreaterThanOrderByKeyNumber(
                        study.getId(), after, Limit.of(limit));
        Set<Integer> positions =
                page.stream().map(it -> it.run().position()).collect(Collectors.toSet());
        return ImportedView.of(
                study,
                page,
                limit,
                runs.newestCompleted(caller, study.getId(), study.version(), positions));
    }
}
