package dev.equipoise.app.schedule;

import dev.equipoise.app.allocation.CachedSpeedCurves;
import dev.equipoise.app.allocation.ProfileGap;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.measurement.LinkMeasurements;
import dev.equipoise.app.measurement.RepeatedFailures;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.WorkerId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Caches measured speeds and links during one scheduling pass. */
final class MeasurementCache {

    private final CachedSpeedCurves speeds;
    private final LinkMeasurements links;
    private final Map<List<WorkerId>, Optional<List<MeasuredLink>>> knownLinks = new HashMap<>();

    MeasurementCache(CachedSpeedCurves speeds, LinkMeasurements links) {
        this.speeds = speeds;
        this.links = links;
    }

    CachedSpeedCurves speeds() {
        return speeds;
    }

    /**
     * Whether all links between the workers are measured, and all-reduces if the run needs them.
     */
    boolean areLinksKnown(RunConfiguration configuration, List<LabWorker> workers) {
        return costs(workers).isPresent()
                && (!configuration.wantsAllReduces()
                        || !allReduces(configuration, workers).isEmpty());
    }

    /** The costs of all links between the workers; empty if any is missing. */
    Optional<List<MeasuredLink>> costs(List<LabWorker> workers) {
        return knownLinks.computeIfAbsent(ids(workers), links::between);
    }

    /** The measured all-reduces over these workers with the algorithm of the run. */
    List<MeasuredAllReduce> allReduces(RunConfiguration configuration, List<LabWorker> workers) {
        return configuration.topology() instanceof Topology.AllReduce(var algorithm, var _)
                ? links.allReduces(Set.copyOf(ids(workers)), algorithm)
                : List.of();
    }

    /** Fails a run if link measurements have only failed since it was queued. */
    Optional<RunFailure> linkFailure(QueuedRun run, Set<WorkerId> unknown) {
        return links.failing(unknown)
                .filter(failing -> !failing.since().isBefore(run.queuedAt()))
                .map(failing ->
                        new RunFailure(
                                FailureCause.WORKER,
                                "links-failed",
                                "%d workers failed %d times in a row to measure the links between them, the last time: %s"
                                        .formatted(
                                                unknown.size(), failing.times(), failing.last())));
    }

    /** Fails a run if the profiles of a worker have only failed since it was queued. */
    Optional<RunFailure> profileFailure(
            QueuedRun run, List<ProfileGap> profileGaps, Kernel.TrainingStep kernel) {
        record Blamed(LabWorker worker, RepeatedFailures failing) {}
        return profileGaps.stream()
                .flatMap(gap -> gap.company().stream())
                .flatMap(worker ->
                        speeds
                                .failing(worker.id(), kernel)
                                .map(it -> new Blamed(worker, it))
                                .stream())
                .filter(it -> !it.failing().since().isBefore(run.queuedAt()))
                .max(Comparator.comparing(it -> it.failing().isToBlame()))
                .map(it -> profileFailed(it.worker(), kernel, it.failing()));
    }

    private static RunFailure profileFailed(
            LabWorker worker, Kernel.TrainingStep kernel, RepeatedFailures failing) {
        return new RunFailure(
                FailureCause.WORKER,
                "profile-failed",
                "%s failed %d times in a row to measure %s, the last time: %s"
                        .formatted(worker.name(), failing.times(), kernel.label(), failing.last()));
    }

    private static List<WorkerId> ids(List<LabWorker> workers) {
        return workers.stream().map(LabWorker::id).toList();
    }
}
