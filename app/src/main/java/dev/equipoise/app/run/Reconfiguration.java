package dev.equipoise.app.run;

import dev.equipoise.app.recovery.SurvivorSelection;
import dev.equipoise.app.recovery.SuspendedRun;
import dev.equipoise.app.run.Reconfigurer.NextGeneration;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reconfigures runs: gives surviving and joining ranks new numbers and shares. */
@Service
public class Reconfiguration {

    private static final Logger log = LoggerFactory.getLogger(Reconfiguration.class);

    private final RunLocks locks;
    private final RunRankRepository runRanks;
    private final RunHistory history;
    private final RunEvents runEvents;
    private final ObjectProvider<Reconfigurer> reconfigurer;
    private final ApplicationEventPublisher events;

    /**
     * @param reconfigurer found when it is needed, since it depends on this module
     */
    Reconfiguration(
            RunLocks locks,
            RunRankRepository runRanks,
            RunHistory history,
            RunEvents runEvents,
            ObjectProvider<Reconfigurer> reconfigurer,
            ApplicationEventPublisher events) {
        this.locks = locks;
        this.runRanks = runRanks;
        this.history = history;
        this.runEvents = runEvents;
        this.reconfigurer = reconfigurer;
        this.events = events;
    }

    /**
     * Asks the agents of a running run to suspend after an epoch, so that workers may join or
     * leave, or withdraws that request.
     */
    @Transactional
    public void request(RunId id, boolean isWanted) {
        Run run = locks.lock(id);
        if (run.state() == RunState.RUNNING && run.isReconfigurationRequested() != isWanted) {
            run.requestReconfiguration(isWanted);
            runEvents.note(
                    run.id(),
                    isWanted
                            ? "asks the ranks to suspend after an epoch: workers may change"
                            : "withdraws the request to suspend");
            log.info("reconfiguration requested: run {}: {}", id, isWanted);
        }
    }

    /**
     * Begins a new generation of a run whose lock the caller holds.
     *
     * @param ranks ranks of the generation that ends
     * @param survivors which of them continue
     */
    void reconfigure(Run run, List<RunRank> ranks, SurvivorSelection.Continue survivors) {
        Reconfigurer workers = reconfigurer.getObject();
        SuspendedRun suspended = suspended(run, ranks, survivors);
        NextGeneration next = workers.decide(suspended);
        ranks.stream()
                .filter(it -> next.leaving().contains(WorkerId.of(it.workerId())))
                .forEach(it -> runEvents.note(it, "leaves the run because its worker is drained"));
        apply(run, ranks, next);
        workers.offer(suspended, next, run.generation());
    }

    private static SuspendedRun suspended(
            Run run, List<RunRank> ranks, SurvivorSelection.Continue survivors) {
        return new SuspendedRun(
                RunId.of(run.id()),
                run.generation(),
                run.projectId(),
                run.configuration(),
                survivors.ranks().stream()
                        .map(ranks::get)
                        .map(it ->
                                new SuspendedRun.Survivor(
                                        WorkerId.of(it.workerId()), it.place(), it.share()))
                        .toList(),
                survivors.resumed());
    }

    private void apply(Run run, List<RunRank> before, NextGeneration next) {
        Position from = next.resumed().continuation().from();
        int size = next.allocations().size();
        runRanks.removeFrom(run.id(), size);
        run.reconfigure(size, next.resumed());
        RunLogContext.mark(run);
        for (int rank = 0; rank < size; rank++) {
            assign(run, before, next, rank).reach(reached(rank, from, run.rounds()));
        }
        history.rewindTo(run, from);
        runEvents.append(run.id(), new RunEvent.State(run.state()));
        runEvents.append(run.id(), RunEvent.Placed.of(run.generation(), next.allocations()));
        log.info(
                "run reconfigured: {} generation {} from epoch {} round {} shares {}",
                run.id(),
                run.generation(),
                from.epoch(),
                from.round(),
                next.allocations().stream().map(RankAllocation::share).toList());
        events.publishEvent(new RunReconfigured(RunId.of(run.id()), run.generation()));
    }

    /** Gives an existing rank to its new worker, or adds a rank. */
    private RunRank assign(Run run, List<RunRank> before, NextGeneration next, int rank) {
        RankAllocation allocation = next.allocations().get(rank);
        int place = next.places().get(rank);
        if (rank < before.size()) {
            before.get(rank).reassign(place, allocation);
            return before.get(rank);
        }
        return runRanks.save(new RunRank(run.id(), rank, place, allocation));
    }

    private static RoundReached reached(int rank, Position from, int rounds) {
        return from.round() == 0 && from.epoch() > 1
                ? new RoundReached(rank, from.epoch() - 1, rounds)
                : new RoundReached(rank, from.epoch(), from.round());
    }
}
