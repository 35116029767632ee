package dev.equipoise.app.schedule;

import dev.equipoise.app.allocation.MemoryEstimate;
import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.Partitioning;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells whether the lab has the workers and the memory for a run. Pure. */
final class Feasibility {

    static final String UNSATISFIABLE = "unsatisfiable";

    /** Begins the part of a message that tells what ends a wait that time alone does not end. */
    private static final String ENDLESS = "; this wait does not end by itself: ";

    /** Most folders that a message lists. */
    private static final int MAX_FOLDERS = 20;

    /** Time in which the surviving workers of a restarted run ask for work again. */
    private static final Duration RETURN_TIME = Duration.ofSeconds(1);

    private Feasibility() {}

    /**
     * The least number of workers with which a queued run starts. An elastic run that was restarted
     * starts with its minimum as soon as its surviving workers had time to return; it gets the
     * others at the end of an epoch.
     */
    static int minimumWorkers(QueuedRun run, Instant now) {
        RunConfiguration configuration = run.configuration();
        return configuration.isElastic() && run.awaitsRestartSinceBefore(now.minus(RETURN_TIME))
                ? configuration.topology().servers() + configuration.workers().minimum()
                : minimumWorkers(configuration);
    }

    /**
     * The least number of workers with which a run starts. For automatic configuration it does not
     * count servers, as the best choice may have none.
     */
    static int minimumWorkers(RunConfiguration configuration) {
        if (!configuration.isOpen()) {
            return configuration.workersWanted();
        }
        boolean isNumberFixed =
                configuration.automatic() == null
                        || !configuration.automatic().choices().contains(Choice.REPLICAS);
        return isNumberFixed && !configuration.isOnOneWorker()
                ? configuration.workers().replicas()
                : 1;
    }

    /**
     * Why the whole lab cannot run it, even if all workers were idle and none cordoned; empty if it
     * can.
     */
    static Optional<WaitReason> unsatisfiable(
            RunConfiguration configuration, List<LabWorker> live) {
        return unsatisfiable(configuration, minimumWorkers(configuration), live);
    }

    static Optional<WaitReason> unsatisfiable(
            RunConfiguration configuration, int wanted, List<LabWorker> live) {
        List<LabWorker> matching =
                live.stream()
                        .filter(worker -> worker.takesWork() || worker.wouldTakeWork())
                        .filter(worker -> suits(configuration, worker))
                        .toList();
        if (matching.size() < wanted) {
            return Optional.of(
                    new WaitReason(
                            UNSATISFIABLE,
                            "%d workers needed%s, %d available"
                                            .formatted(
                                                    wanted,
                                                    selected(configuration),
                                                    eligible(configuration, live).size())
                                    + cordonedOff(configuration, live)
                                    + moreWorkers(configuration)));
        }
        List<LabWorker> largest =
                largest(matching, Math.max(wanted, configuration.workersWanted()));
        return isTooLarge(configuration, largest)
                ? Optional.of(
                        new WaitReason(
                                UNSATISFIABLE,
                                "a round has %d samples, and the %d workers with the most memory have memory for %d"
                                                .formatted(
                                                        configuration.samplesOfRound(),
                                                        largest.size(),
                                                        MemoryEstimate.samplesOfRound(
                                                                configuration, largest))
                                        + ENDLESS
                                        + "start agents with more memory, or cancel the run and lower training.batchSize"))
                : Optional.empty();
    }

    private static String moreWorkers(RunConfiguration configuration) {
        if (configuration.folder() != null) {
            return ENDLESS
                    + "start agents with the data folder, or add the folder to the hosts of agents that run, or cancel the run";
        }
        return ENDLESS
                + (configuration.workers().selector().isEmpty()
                        ? "start more agents, or cancel the run and ask for fewer workers"
                        : "start agents with these labels, or cancel the run and change workers.selector");
    }

    /** The workers with the most memory, in the given order. */
    static List<LabWorker> largest(List<LabWorker> some, int wanted) {
        Set<LabWorker> largest =
                some.stream()
                        .sorted(
                                Comparator.comparingLong(
                                                (LabWorker worker) -> worker.host().memoryBytes())
                                        .reversed())
                        .limit(wanted)
                        .collect(Collectors.toSet());
        return some.stream().filter(largest::contains).toList();
    }

    /** The workers that a run may get, now or after their current work. */
    static List<LabWorker> eligible(RunConfiguration configuration, List<LabWorker> live) {
        return live.stream()
                .filter(LabWorker::takesWork)
                .filter(worker -> suits(configuration, worker))
                .toList();
    }

    /** Whether functional shares, which are bounded by memory, exceed the memory of the workers. */
    static boolean isTooLarge(RunConfiguration configuration, List<LabWorker> chosen) {
        return !configuration.isOpen()
                && configuration.partitioning() instanceof Partitioning.Functional
                && !MemoryEstimate.fits(configuration, chosen);
    }

    static Optional<WaitReason> tooLarge(RunConfiguration configuration, List<LabWorker> chosen) {
        return isTooLarge(configuration, chosen)
                ? Optional.of(
                        new WaitReason(
                                "too-little-memory",
                                "a round has %d samples, and the workers have memory for %d"
                                        .formatted(
                                                configuration.samplesOfRound(),
                                                MemoryEstimate.samplesOfRound(
                                                        configuration, chosen))))
                : Optional.empty();
    }

    /** The part of a message that counts cordoned workers; empty if there are none. */
    static String cordonedOff(RunConfiguration configuration, List<LabWorker> live) {
        long cordoned =
                live.stream()
                        .filter(LabWorker::wouldTakeWork)
                        .filter(worker -> suits(configuration, worker))
                        .count();
        return cordoned == 0 ? "" : ", %d cordoned".formatted(cordoned);
    }

    /** The part of a message that tells which workers the run needs; empty if any will do. */
    static String selected(RunConfiguration configuration) {
        Map<String, String> selector = configuration.workers().selector();
        String labels = selector.isEmpty() ? "" : " with the labels " + selector;
        return configuration.folder() == null
                ? labels
                : "%s with the data folder %s".formatted(labels, configuration.folder());
    }

    /** Whether a worker has the labels and may have the data of a run. */
    static boolean suits(RunConfiguration configuration, LabWorker worker) {
        return worker.matches(configuration.workers().selector())
                && worker.mayHave(configuration.folder());
    }

    /** Reports a data folder that no live worker has; empty while no worker is live. */
    static Optional<Violation> unknownFolder(RunConfiguration configuration, List<LabWorker> live) {
        String folder = configuration.folder();
        if (live.isEmpty() || live.stream().anyMatch(worker -> worker.mayHave(folder))) {
            return Optional.empty();
        }
        return Optional.of(
                new Violation(
                        "/dataset/folder",
                        "must be a data folder of a worker: no worker knows the folder %s; known are %s"
                                .formatted(folder, knownFolders(live)),
                        folder));
    }

    private static String knownFolders(List<LabWorker> live) {
        List<String> known =
                live.stream()
                        .flatMap(worker -> Stream.ofNullable(worker.folders()))
                        .flatMap(List::stream)
                        .distinct()
                        .sorted()
                        .toList();
        String some = String.join(", ", known.subList(0, Math.min(MAX_FOLDERS, known.size())));
        int others = known.size() - MAX_FOLDERS;
        if (known.isEmpty()) {
            return "none";
        }
        return others > 0 ? "%s and %d more".formatted(some, others) : some;
    }
}
