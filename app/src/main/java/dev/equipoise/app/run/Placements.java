package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.telemetry.MetricStore;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Gives runs their workers, and records which of them are lost. */
@Service
public class Placements {

    private static final Logger log = LoggerFactory.getLogger(Placements.class);

    private final RunLocks locks;
    private final RunRepository runs;
    private final RunRankRepository runRanks;
    private final RunMeasurementsRepository measurements;
    private final MetricStore metrics;
    private final RunEvents runEvents;
    private final RankLosses losses;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Placements(
            RunLocks locks,
            RunRepository runs,
            RunRankRepository runRanks,
            RunMeasurementsRepository measurements,
            MetricStore metrics,
            RunEvents runEvents,
            RankLosses losses,
            ApplicationEventPublisher events,
            Clock clock) {
        this.locks = locks;
        this.runs = runs;
        this.runRanks = runRanks;
        this.measurements = measurements;
        this.metrics = metrics;
        this.runEvents = runEvents;
        this.losses = losses;
        this.events = events;
        this.clock = clock;
    }

    /** Locks the run until the transaction ends. */
    @Transactional
    public void hold(RunId id) {
        locks.lock(id);
    }

    /**
     * Locks a queued run, so that no other instance places it.
     *
     * @return false if the run is no longer queued, or is locked at this moment
     */
    @Transactional
    public boolean claim(RunId id) {
        return runs.claim(id.value()).isPresent();
    }

    /**
     * Places a run: gives its ranks their workers and shares.
     *
     * @param hybrid how the ranks share hidden units; null if they do not
     * @param speeds speeds of the ranks of a virtual run that defines none itself; else none
     * @param links measured links between the workers, if the run depends on them; else none
     * @return the new generation
     */
    @Transactional
    public int place(
            RunId id,
            List<RankAllocation> allocations,
            @Nullable HybridAllocationView hybrid,
            List<Execution.Speed> speeds,
            List<MeasuredLink> links) {
        Run run = locks.lock(id);
        Instant now = clock.instant();
        run.place(allocations.size(), hybrid, now);
        RunLogContext.mark(run);
        if (!links.isEmpty() || !speeds.isEmpty()) {
            measurements.save(new RunMeasurements(run.id(), links, speeds));
        }
        assign(run, allocations);
        metrics.begin(run.id());
        runEvents.append(run.id(), new RunEvent.State(run.state()));
        runEvents.append(run.id(), RunEvent.Placed.of(run.generation(), allocations));
        List<Integer> shares = allocations.stream().map(RankAllocation::share).toList();
        log.info("run placed: {} generation {} shares {}", id, run.generation(), shares);
        events.publishEvent(new RunPlaced(id, run.generation(), waited(run, now)));
        return run.generation();
    }

    /** Returns zero if the clock was set back since the run was queued. */
    private static Duration waited(Run run, Instant now) {
        Duration waited = Duration.between(run.waitingSince(), now);
        return waited.isNegative() ? Duration.ZERO : waited;
    }

    /** Replaces the ranks of the generation before, at the same progress. */
    private void assign(Run run, List<RankAllocation> allocations) {
        int before = run.epochsBefore();
        if (run.generation() > 1) {
            runRanks.removeOf(run.id());
        }
        for (int rank = 0; rank < allocations.size(); rank++) {
            var runRank = new RunRank(run.id(), rank, rank, allocations.get(rank));
            if (before > 0) {
                runRank.reach(new RunReport.RoundReached(rank, before, run.rounds()));
            }
            runRanks.save(runRank);
        }
    }

    /**
     * Stores the automatic configuration of a run that is placed in the same transaction. The run
     * begins with the model that its submission has resolved.
     */
    @Transactional
    public void choose(RunId id, RunConfiguration chosen) {
        Run run = locks.lock(id);
        run.choose(run.configuration().initial().map(it -> chosen.with(it)).orElse(chosen));
        log.info("run configured: {}: {}", id, chosen.automatic());
    }

    /** Records that a run has lost a rank; ignored if the run is queued or has ended. */
    @Transactional
    public void lose(RunId id, int rank, RunFailure failure) {
        Run run = locks.lock(id);
        if (run.state() != RunState.QUEUED && !run.state().isTerminal()) {
            runRanks.findById(new RunRank.Key(run.id(), rank))
                    .ifPresent(it -> losses.lose(run, it, failure));
        }
    }
}
