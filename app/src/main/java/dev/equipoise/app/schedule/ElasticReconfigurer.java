package dev.equipoise.app.schedule;

import dev.equipoise.app.allocation.Allocator;
import dev.equipoise.app.allocation.MeasuredSpeeds;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.dispatch.Assignments;
import dev.equipoise.app.dispatch.WorkNotifier;
import dev.equipoise.app.recovery.SuspendedRun;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.app.run.Reconfigurer;
import dev.equipoise.app.run.RunReconfigured;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.performance.partition.Partitioner;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Decides on the workers and shares of the next generation of a suspended run, and offers them its
 * ranks. The run does not return to the queue.
 */
@Component
class ElasticReconfigurer implements Reconfigurer {

    private final Workers workers;
    private final MeasurementLookups lookups;
    private final ElasticScaling scaling;
    private final Assignments assignments;
    private final WorkNotifier notifier;

    ElasticReconfigurer(
            Workers workers,
            MeasurementLookups lookups,
            ElasticScaling scaling,
            Assignments assignments,
            WorkNotifier notifier) {
        this.workers = workers;
        this.lookups = lookups;
        this.scaling = scaling;
        this.assignments = assignments;
        this.notifier = notifier;
    }

    @Override
    public NextGeneration decide(SuspendedRun suspended) {
        WorkerChange change = change(suspended);
        SuspendedRun staying = suspended.without(change.leaving());
        List<SuspendedRun.Survivor> ranks = new ArrayList<>(staying.left());
        ranks.addAll(joiningRanks(staying, change.joining()));
        return new NextGeneration(
                allocations(suspended.configuration(), ranks),
                ranks.stream().map(SuspendedRun.Survivor::place).toList(),
                staying.resumed(),
                change.leaving());
    }

    private WorkerChange change(SuspendedRun suspended) {
        return scaling.change(
                suspended.project(),
                suspended.configuration(),
                suspended.left().stream().map(SuspendedRun.Survivor::worker).toList(),
                _ -> suspended.isHeldByAll(),
                worker -> suspended.isAtBeginning() && workers.holdFree(worker.id()));
    }

    @Override
    public void offer(SuspendedRun suspended, NextGeneration next, int generation) {
        assignments.reconfigure(suspended, next, generation);
    }

    /** Wakes the agents of the new generation after the commit. */
    @TransactionalEventListener
    void wakeAgents(RunReconfigured reconfigured) {
        notifier.wake(assignments.offered());
    }

    /** The joining ranks, in the places of lost or released ranks, with the mean share. */
    private static List<SuspendedRun.Survivor> joiningRanks(
            SuspendedRun suspended, List<LabWorker> joining) {
        List<Integer> taken = suspended.left().stream().map(SuspendedRun.Survivor::place).toList();
        Iterator<Integer> places =
                IntStream.range(0, suspended.configuration().ranks())
                        .filter(place -> !taken.contains(place))
                        .iterator();
        int share = meanShare(suspended);
        return joining.stream()
                .map(worker -> new SuspendedRun.Survivor(worker.id(), places.next(), share))
                .toList();
    }

    private static int meanShare(SuspendedRun suspended) {
        return (int)
                suspended.left().stream()
                        .skip(suspended.configuration().topology().servers())
                        .mapToInt(SuspendedRun.Survivor::share)
                        .average()
                        .orElseThrow();
    }

    private List<RankAllocation> allocations(
            RunConfiguration configuration, List<SuspendedRun.Survivor> ranks) {
        List<LabWorker> present = ranks.stream().map(it -> workers.find(it.worker())).toList();
        List<Integer> places = ranks.stream().map(SuspendedRun.Survivor::place).toList();
        var speeds = new MeasuredSpeeds(configuration, places, present, lookups.speeds());
        var allocator =
                new Allocator(
                        speeds.ranks(),
                        speeds.missing().isEmpty()
                                ? Optional.empty()
                                : Optional.of(shares(configuration, ranks)));
        return speeds.withProfiles(allocator.allocations());
    }

    /** Keeps the ratios of the previous shares, for ranks without measured speeds. */
    private static List<Integer> shares(
            RunConfiguration configuration, List<SuspendedRun.Survivor> ranks) {
        return Partitioner.inProportion(
                configuration.dataset().limit(),
                ranks.stream().map(SuspendedRun.Survivor::share).toList());
    }
}
