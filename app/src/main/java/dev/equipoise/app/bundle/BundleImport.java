package dev.equipoise.app.bundle;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.file.DiskGuard;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.FinishedRuns;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Imports bundles as experiments. */
@Service
class BundleImport {

    private final Experiments experiments;
    private final Projects projects;
    private final FinishedRuns runs;
    private final ImportedStudyRepository studies;
    private final StoredImportedRunRepository importedRuns;
    private final BundleReader reader;
    private final DiskGuard disk;
    private final TransactionOperations transactions;
    private final Clock clock;

    BundleImport(
            Experiments experiments,
            Projects projects,
            FinishedRuns runs,
            ImportedStudyRepository studies,
            StoredImportedRunRepository importedRuns,
            BundleReader reader,
            DiskGuard disk,
            TransactionOperations transactions,
            Clock clock) {
        this.experiments = experiments;
        this.projects = projects;
        this.runs = runs;
        this.studies = studies;
        this.importedRuns = importedRuns;
        this.reader = reader;
        this.disk = disk;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * The result of an import.
     *
     * @param isNew whether the bundle was not imported before
     */
    record Imported(StoredExperiment experiment, boolean isNew) {}

    /**
     * Creates an experiment from a bundle; the same bundle creates one experiment per project.
     *
     * @throws Problem {@code not-found} for a hidden project, {@code invalid-bundle}, {@code
     *     invalid-definition} if the definition is not valid here, {@code busy}, {@code no-room}
     */
    Imported take(Caller.User caller, UUID project, byte[] zip) {
        projects.require(caller, Role.EDITOR, project);
        disk.requireRoom();
        ImportedBundle bundle = reader.read(zip);
        return transactions.execute(_ -> store(caller, project, bundle));
    }

    private Imported store(Caller.User caller, UUID project, ImportedBundle bundle) {
        Optional<ImportedStudy> known =
                studies.findByProjectIdAndChecksum(project, bundle.checksum());
        if (known.isPresent()) {
            return new Imported(experiments.find(caller, known.get().getId()), false);
        }
        StoredExperiment created = experiments.define(caller, project, bundle.definition());
        studies.saveAndFlush(
                new ImportedStudy(created, bundle.checksum(), bundle.study(), clock.instant()));
        saveRuns(created.id(), bundle.runs());
        return new Imported(created, true);
    }

    private void saveRuns(UUID experiment, List<Study.ImportedRun> studyRuns) {
        importedRuns.saveAll(
                IntStream.range(0, studyRuns.size())
                        .mapToObj(
                                it -> new StoredImportedRun(experiment, it + 1, studyRuns.get(it)))
                        .toList());
    }

    /**
     * Returns the study that was imported with an experiment, with a page of its runs.
     *
     * @param cursor the end of the previous page; null for the first page
     * @throws Problem {@code not-found}, also if the experiment was not created from a bundle
     */
    ImportedView imported(Caller.User caller, UUID experiment, @Nullable String cursor, int limit) {
        experiments.find(caller, experiment);
        int after = Cursor.read(cursor, keys -> Integer.valueOf(keys.getFirst())).orElse(0);
        return studies.findById(experiment)
                .map(it -> imported(caller, it, after, limit))
                .orElseThrow(() -> Problem.notFound("imported study of experiment", experiment));
    }

    private ImportedView imported(Caller.User caller, ImportedStudy study, int after, int limit) {
        List<StoredImportedRun> page =
                importedRuns.findByKeyExperimentIdAndKeyNumberGreaterThanOrderByKeyNumber(
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
