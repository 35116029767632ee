package dev.equipoise.app.bundle;

import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunView;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of another lab, stored beside the experiment that was created from its bundle; the
 * runs are stored separately.
 *
 * @param product the version of the service there
 * @param asOf the time of the newest event
 * @param experiment experiment of the other lab
 * @param runs some of the runs, or none
 * @param workers workers of its runs
 */
record Study(
        String product,
        Instant asOf,
        Manifest.ExportedExperiment experiment,
        List<ImportedRun> runs,
        List<ImportedWorker> workers) {

    Study {
        runs = List.copyOf(runs);
        workers = List.copyOf(workers);
    }

    /** Returns this study with some of its runs. */
    Study with(List<ImportedRun> some) {
        return new Study(product, asOf, experiment, some, workers);
    }

    /**
     * A worker of the other lab.
     *
     * @param name name of the worker
     * @param host description of its host
     */
    record ImportedWorker(String name, HostDescription host) {}

    /**
     * A run of the other lab.
     *
     * @param id id of the run in the other lab
     * @param position the index of its configuration in the experiment, from 0
     * @param seed seed of the run
     * @param state state in which the run ended
     * @param failure the code of the failure
     * @param predictedEpochSeconds predicted time of an epoch, in seconds; null without a
     *     prediction
     * @param epochSeconds median over its epochs
     * @param testAccuracy test accuracy at the last evaluation; null without one
     * @param testLoss test loss at the last evaluation; null without one
     * @param workers names of the workers, by rank
     * @param epochs figures by epoch
     * @param execution the {@code execution} of a definition with which a virtual run here takes
     *     the time of the run there; null if the speeds of its workers are unknown
     */
    record ImportedRun(
            RunId id,
            int position,
            long seed,
            RunState state,
            @Nullable String failure,
            @Nullable Double predictedEpochSeconds,
            @Nullable Double epochSeconds,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            List<String> workers,
            List<ImportedEpoch> epochs,
            @Nullable ImportedExecution execution) {

        ImportedRun {
            workers = List.copyOf(workers);
            epochs = List.copyOf(epochs);
        }

        static ImportedRun of(StudyRun run, StudyWorkers workers) {
            return new ImportedRun(
                    run.id(),
                    run.position(),
                    run.configuration().seed(),
                    run.state(),
                    run.failure(),
                    run.prediction() == null ? null : run.prediction().epochSeconds(),
                    run.epochSeconds(),
                    run.testAccuracy(),
                    run.testLoss(),
                    run.replicas().stream().map(RunView.ReplicaView::workerName).toList(),
                    run.epochs().stream().map(ImportedEpoch::of).toList(),
                    ImportedExecution.of(run, workers).orElse(null));
        }
    }

    /**
     * The figures of an epoch over all ranks.
     *
     * @param epoch epoch, from 1
     * @param epochSeconds training time of the slowest rank, in seconds
     * @param meanLoss mean training loss
     * @param testAccuracy test accuracy; null without an evaluation
     * @param testLoss test loss; null without an evaluation
     * @param bytesSent bytes that all ranks sent
     */
    record ImportedEpoch(
            int epoch,
            double epochSeconds,
            double meanLoss,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            long bytesSent) {

        static ImportedEpoch of(RunView.EpochView epoch) {
            return new ImportedEpoch(
                    epoch.epoch(),
                    epoch.epochSeconds(),
                    epoch.meanLoss(),
                    epoch.testAccuracy(),
                    epoch.testLoss(),
                    epoch.ranks().stream().mapToLong(RunView.RankView::bytesSent).sum());
        }
    }

    /**
     * The {@code execution} part of a definition, for a virtual run.
     *
     * @param kind kind of the execution: {@code virtual}
     * @param speeds speeds of the workers, by rank
     */
    record ImportedExecution(String kind, List<Speed> speeds) {

        ImportedExecution {
            speeds = List.copyOf(speeds);
        }

        static Optional<ImportedExecution> of(StudyRun run, StudyWorkers workers) {
            List<Speed> speeds =
                    run.replicas().stream()
                            .flatMap(it ->
                                    workers
                                            .speed(
                                                    it.worker(),
                                                    run.configuration().architecture().name())
                                            .stream())
                            .toList();
            return speeds.isEmpty() || speeds.size() < run.replicas().size()
                    ? Optional.empty()
                    : Optional.of(new ImportedExecution("virtual", speeds));
        }
    }
}
