package dev.equipoise.app.schedule;

import dev.equipoise.app.dispatch.BusyWorker;
import dev.equipoise.app.dispatch.WorkerAllocation;
import dev.equipoise.app.run.RunQueue.UnderWay;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The work of all workers at the beginning of a scheduling pass.
 *
 * @param held the workers that runs have
 * @param availability when each worker becomes free
 * @param preemptible the training runs that may be preempted
 */
record ClusterSnapshot(
        List<WorkerAllocation> held,
        AvailabilityProfile availability,
        List<PreemptionPolicy.Training> preemptible) {

    ClusterSnapshot {
        held = List.copyOf(held);
        preemptible = List.copyOf(preemptible);
    }

    /** Combines two successive reads. A run that has ended between them holds no worker. */
    static ClusterSnapshot of(List<BusyWorker> atWork, List<UnderWay> underWay, Instant now) {
        Map<RunId, UnderWay> runs =
                underWay.stream().collect(Collectors.toMap(UnderWay::id, Function.identity()));
        List<WorkerAllocation> held = new ArrayList<>();
        Map<WorkerId, Instant> freeAt = new HashMap<>();
        for (BusyWorker it : atWork) {
            WorkerId worker = WorkerId.of(it.worker());
            if (it.run() == null) {
                freeAt.put(
                        worker,
                        CompletionEstimate.end(
                                it.since(), CompletionEstimate.MEASUREMENT_DURATION, now));
                continue;
            }
            UnderWay run = runs.get(RunId.of(it.run()));
            if (run != null) {
                held.add(new WorkerAllocation(worker, run.id(), run.project(), it.since()));
                freeAt.put(worker, CompletionEstimate.endOf(run, it.since(), now));
            }
        }
        return new ClusterSnapshot(
                held, new AvailabilityProfile(now, freeAt), preemptible(held, underWay));
    }

    private static List<PreemptionPolicy.Training> preemptible(
            List<WorkerAllocation> held, List<UnderWay> underWay) {
        Map<RunId, Set<WorkerId>> workers =
                held.stream()
                        .collect(
                                Collectors.groupingBy(
                                        WorkerAllocation::run,
                                        Collectors.mapping(
                                                WorkerAllocation::worker, Collectors.toSet())));
        List<PreemptionPolicy.Training> training = new ArrayList<>();
        for (UnderWay run : underWay) {
            Instant since = run.startedAt();
            if (run.isPreemptible() && since != null) {
                training.add(
                        new PreemptionPolicy.Training(
                                run.id(),
                                run.project(),
                                run.priority(),
                                run.queuedAt(),
                                since,
                                run.isAsked(),
                                run.refusal(),
                                workers.getOrDefault(run.id(), Set.of())));
            }
        }
        return training;
    }
}
