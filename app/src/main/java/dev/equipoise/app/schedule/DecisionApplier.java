package dev.equipoise.app.schedule;

import dev.equipoise.app.allocation.Allocator;
import dev.equipoise.app.allocation.HybridAllocator;
import dev.equipoise.app.allocation.MeasuredSpeeds;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.dispatch.Assignments;
import dev.equipoise.app.dispatch.BestEffort;
import dev.equipoise.app.dispatch.RunOffer;
import dev.equipoise.app.measurement.LinkMeasurements;
import dev.equipoise.app.measurement.Profiles;
import dev.equipoise.app.plan.AutoConfigurator;
import dev.equipoise.app.queue.QueuePositions;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.run.ExecutionOrders;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.app.run.Preemptions;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.app.run.Reconfiguration;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Applies the decisions of scheduling passes. Each change has its own transaction, which checks the
 * affected rows again.
 */
@Component
class DecisionApplier {

    /** Number of runs, which take 1 s at most, between two renewals of the lease. */
    private static final int RUNS_PER_RENEWAL = 250;

    private final Assignments assignments;
    private final AutoConfigurator autoConfigurator;
    private final ExecutionOrders orders;
    private final Preemptions preemptions;
    private final Reconfiguration reconfiguration;
    private final RunQueue queue;
    private final QueuePositions positions;
    private final Profiles profiles;
    private final LinkMeasurements links;

    DecisionApplier(
            Assignments assignments,
            AutoConfigurator autoConfigurator,
            ExecutionOrders orders,
            Preemptions preemptions,
            Reconfiguration reconfiguration,
            RunQueue queue,
            QueuePositions positions,
            Profiles profiles,
            LinkMeasurements links) {
        this.assignments = assignments;
        this.autoConfigurator = autoConfigurator;
        this.orders = orders;
        this.preemptions = preemptions;
        this.reconfiguration = reconfiguration;
        this.queue = queue;
        this.positions = positions;
        this.profiles = profiles;
        this.links = links;
    }

    /**
     * Decides on all queued runs in queue order, as long as the pass has its lease.
     *
     * @return whether a run was placed
     */
    boolean placeAll(SchedulingPass pass, HeldLease lease) {
        if (pass.queued().isEmpty()) {
            return false;
        }
        boolean placed = false;
        int seen = 0;
        for (QueuedRun run : pass.queued()) {
            if (seen++ % RUNS_PER_RENEWAL == 0) {
                lease.renew();
            }
            placed |=
                    !lease.isLost() && BestEffort.call(() -> apply(pass.decide(run), pass, lease));
        }
        if (!lease.isLost()) {
            publish(pass);
        }
        return placed;
    }

    private void publish(SchedulingPass pass) {
        pass.missingProfiles()
                .forEach(it -> BestEffort.run(() -> profiles.require(it.company(), it.network())));
        pass.missingLinks().forEach(it -> BestEffort.run(() -> links.require(it)));
        pass.waitReasons()
                .forEach(
                        (reason, ids) -> BestEffort.run(() -> queue.recordWaitReason(ids, reason)));
        BestEffort.run(() -> positions.publish(pass.positions(), pass.now()));
    }

    /** Returns whether the run was placed. */
    private boolean apply(RunDecision decision, SchedulingPass pass, HeldLease lease) {
        return switch (decision) {
            case RunDecision.Start start -> start(start, lease);
            case RunDecision.Choose choose -> choose(choose, pass, lease);
            case RunDecision.GiveUp giveUp -> {
                queue.giveUp(giveUp.run().id(), giveUp.failure());
                yield false;
            }
            case RunDecision.Wait _ -> false;
        };
    }

    private boolean start(RunDecision.Start start, HeldLease lease) {
        RunConfiguration configuration = start.run().configuration();
        var allocator = new Allocator(start.speeds().ranks(), orders.sharesToRepeat(configuration));
        if (configuration.partitioning() instanceof Partitioning.Hybrid wanted) {
            lease.renew();
            var groups = new HybridAllocator(allocator, wanted, start.allReduces());
            HybridAllocationView hybrid = autoConfigurator.groups(groups, lease.renewing());
            return offer(start, groups.allocations(hybrid), hybrid, allocator, lease);
        }
        return offer(start, allocator.allocations(), null, allocator, lease);
    }

    private boolean offer(
            RunDecision.Start start,
            List<RankAllocation> allocations,
            @Nullable HybridAllocationView hybrid,
            Allocator allocator,
            HeldLease lease) {
        var offer =
                new RunOffer(
                        start.run().id(),
                        null,
                        start.speeds().withProfiles(allocations),
                        hybrid,
                        allocator.measuredSpeeds(),
                        start.costs());
        return lease.offered(assignments.offerRun(lease.token(), offer));
    }

    /** Configures and places a run with automatic configuration. */
    private boolean choose(RunDecision.Choose choose, SchedulingPass pass, HeldLease lease) {
        lease.renew();
        if (lease.isLost()) {
            return false;
        }
        QueuedRun run = choose.run();
        Optional<AutoConfigurator.Chosen> chosen =
                autoConfigurator.choose(
                        run.project(), run.configuration(), choose.idle(), lease.renewing());
        if (lease.isLost()) {
            return false;
        }
        return chosen.map(it -> startChosen(run, it, pass, lease))
                .orElseGet(() -> apply(pass.noneFits(run, choose.idle().size()), pass, lease));
    }

    private boolean startChosen(
            QueuedRun run, AutoConfigurator.Chosen chosen, SchedulingPass pass, HeldLease lease) {
        Allocator allocator = chosen.allocator();
        MeasuredSpeeds speeds = pass.speeds(chosen.configuration(), allocator.chosen());
        List<RankAllocation> allocations = speeds.withProfiles(allocator.allocations());
        pass.take(run, allocations.stream().map(RankAllocation::worker).distinct().toList());
        var offer =
                new RunOffer(
                        run.id(),
                        chosen.configuration(),
                        allocations,
                        null,
                        allocator.measuredSpeeds(),
                        List.of());
        return lease.offered(assignments.offerRun(lease.token(), offer));
    }

    /**
     * Preempts runs and cancels all other preemptions.
     *
     * @param blocked the run that gets their workers; empty if no run is preempted
     */
    void preempt(Set<RunId> chosen, Optional<PreemptionPolicy.Blocked> blocked) {
        blocked.ifPresent(it ->
                chosen.forEach(
                        run -> BestEffort.run(() -> preemptions.preempt(run, it.run().id()))));
        queue.askedToStop().stream()
                .filter(it -> !chosen.contains(it))
                .forEach(it -> BestEffort.run(() -> preemptions.cancel(it)));
    }

    /** Asks runs to stop after an epoch, or withdraws that. */
    void request(List<ElasticScaling.Request> requests) {
        requests.forEach(
                it -> BestEffort.run(() -> reconfiguration.request(it.run(), it.isWanted())));
    }
}
