package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * What becomes of a run that loses ranks: those that are left go on, or it waits for others, or it
 * is given up. Whoever calls holds the run.
 */
@Component
class RunRecovery {

    private static final Logger log = LoggerFactory.getLogger(RunRecovery.class);

    private final ReplicaRepository replicas;
    private final EpochResultRepository results;
    private final TracePartRepository traces;
    private final OrderPartRepository orders;
    private final Metrics metrics;
    private final RunEvents told;
    private final RunCheckpoints checkpoints;
    private final Endings endings;
    private final ApplicationEventPublisher events;
    private final RecoverySettings settings;
    private final Clock clock;

    RunRecovery(
            ReplicaRepository replicas,
            EpochResultRepository results,
            TracePartRepository traces,
            OrderPartRepository orders,
            Metrics metrics,
            RunEvents told,
            RunCheckpoints checkpoints,
            Endings endings,
            ApplicationEventPublisher events,
            RecoverySettings settings,
            Clock clock) {
        this.replicas = replicas;
        this.results = results;
        this.traces = traces;
        this.orders = orders;
        this.metrics = metrics;
        this.told = told;
        this.checkpoints = checkpoints;
        this.endings = endings;
        this.events = events;
        this.settings = settings;
        this.clock = clock;
    }

    /** A run has lost a rank. */
    void lose(Run run, Replica replica, RunFailure failure) {
        if (failure.cause() != FailureCause.USER) {
            events.publishEvent(lost(run, replica));
        }
        if (failure.cause() != FailureCause.USER && isElastic(run)) {
            stand(run, replica, new Standstill.Lost(failure));
        } else {
            recover(run, failure);
        }
    }

    /** With the last of its ranks that was awaited the run goes on, or goes back. */
    void stand(Run run, Replica replica, Standstill why) {
        replica.stand(why);
        told.note(
                run.id(),
                new RunEvent.Noted(replica.rank(), replica.workerName(), LogLine.standing(why)));
        if (!isElastic(run)) {
            recover(run, lost(replicas.findByKeyRunIdOrderByKeyRank(run.id()), List.of()));
            return;
        }
        // Who trains may need long to come to the end of the epoch.
        if (!isCarriedOn(run)) {
            run.standStill(clock.instant().plus(settings.patience()));
        }
        // Who is cut off from the service alone may still train with the others.
        if (replica.isLost() && run.configuration().carriesOn()) {
            run.wantRegroup(true);
        }
        regroup(run, false);
        if (replica.isLost() && isCarriedOn(run)) {
            noteCarriedOn(run, replica);
        }
    }

    private void noteCarriedOn(Run run, Replica lost) {
        String who = "rank %d on %s".formatted(lost.rank(), lost.workerName());
        log.warn("run goes on without one of its ranks: {}: {}", run.id(), who);
        told.note(run.id(), says("goes on without %s until the end of the epoch".formatted(who)));
    }

    /**
     * Goes on where that is decided.
     *
     * @param isPatienceOver whether nobody is waited for any more
     */
    void regroup(Run run, boolean isPatienceOver) {
        List<Replica> ranks = replicas.findByKeyRunIdOrderByKeyRank(run.id());
        Regrouping decision =
                Regrouping.decide(
                        ranks.stream()
                                .map(it ->
                                        new Regrouping.Rank(it.rank(), it.stage(), it.standstill()))
                                .toList(),
                        terms(run),
                        isPatienceOver);
        switch (decision) {
            case Regrouping.Wait _ -> {}
            case Regrouping.Stop(var left) -> recover(run, lost(ranks, left));
            case Regrouping.GoOn goOn -> goOn(run, ranks, atBeginning(run, goOn));
            case Regrouping.Complete _ -> {
                // Who has finished has trained with all, though one was lost before it said so.
                if (run.state() == RunState.PREPARING) {
                    run.start(clock.instant());
                }
                closeEpochs(run);
                endings.complete(run);
            }
        }
    }

    private static Regrouping.Terms terms(Run run) {
        RunConfiguration configuration = run.configuration();
        int servers = configuration.topology().servers();
        return new Regrouping.Terms(
                run.rounds(),
                servers,
                configuration.workers().minimum() + servers,
                configuration.carriesOn());
    }

    /** The end of an epoch of which all is told is the beginning of the next. */
    private Regrouping.GoOn atBeginning(Run run, Regrouping.GoOn goOn) {
        Resumed resumed = goOn.resumed();
        Position from = resumed.continuation().from();
        return from.round() == run.rounds() && isTold(run, from.epoch(), goOn.ranks())
                ? new Regrouping.GoOn(
                        goOn.ranks(), resumed.from(Position.beginning(from.epoch() + 1)))
                : goOn;
    }

    /** Those that carried on without a rank have told all that there is to tell of the epoch. */
    private boolean isTold(Run run, int epoch, List<Integer> left) {
        return results.isWhole(run.id(), epoch)
                || (run.configuration().carriesOn()
                        && results.findByKeyRunIdAndKeyEpochOrderByKeyRank(run.id(), epoch).stream()
                                .map(EpochResult::rank)
                                .toList()
                                .containsAll(left));
    }

    /** Who loses ranks over and over at the same place is given up. */
    private void goOn(Run run, List<Replica> ranks, Regrouping.GoOn goOn) {
        if (goOn.ranks().size() < ranks.size() || !run.isRegroupWanted()) {
            RunFailure failure = lost(ranks, goOn.ranks());
            if (again(run, failure, goOn.resumed()) instanceof Recovery.GiveUp(RunFailure why)) {
                endings.fail(run, why);
                return;
            }
            log.warn("run has lost ranks: {}: {}", run.id(), failure.message());
            told.note(run.id(), says("goes on without who is lost: " + failure.message()));
        }
        missed(ranks, goOn.ranks()).stream()
                .filter(it -> !it.isLost())
                .forEach(it -> events.publishEvent(lost(run, it)));
        events.publishEvent(
                new RunStandsStill(
                        RunId.of(run.id()),
                        run.generation(),
                        run.projectId(),
                        run.configuration(),
                        goOn.ranks().stream()
                                .map(ranks::get)
                                .map(it ->
                                        new RunStandsStill.Left(
                                                WorkerId.of(it.workerId()), it.place(), it.share()))
                                .toList(),
                        goOn.resumed()));
    }

    private static RankLost lost(Run run, Replica replica) {
        return new RankLost(RunId.of(run.id()), run.generation(), replica.rank());
    }

    private Recovery again(Run run, RunFailure failure, Resumed resumed) {
        return Recovery.of(
                failure,
                run.configuration().restarts(),
                run.fruitless(),
                run.furthest(),
                resumed.continuation().from().step(run.rounds()),
                settings.pauses());
    }

    /**
     * Who of a run's ranks are lost, in words.
     *
     * @param left those that are not
     */
    private static RunFailure lost(List<Replica> ranks, List<Integer> left) {
        return ranks.stream()
                .map(Replica::standstill)
                .filter(Standstill.Lost.class::isInstance)
                .map(it -> ((Standstill.Lost) it).failure())
                .findFirst()
                .orElseGet(() ->
                        new RunFailure(
                                FailureCause.WORKER, "peer-lost", described(missed(ranks, left))));
    }

    /** Those of which others have said that they are not to be seen. */
    private static List<Replica> missed(List<Replica> ranks, List<Integer> left) {
        Set<Integer> missing =
                ranks.stream()
                        .map(Replica::standstill)
                        .filter(Standstill.Waiting.class::isInstance)
                        .flatMap(it -> ((Standstill.Waiting) it).missing().stream())
                        .collect(Collectors.toSet());
        return ranks.stream()
                .filter(it -> missing.contains(it.rank()) && !left.contains(it.rank()))
                .toList();
    }

    private static String described(List<Replica> lost) {
        return lost.isEmpty()
                ? "its ranks have lost one another"
                : lost.stream()
                        .map(it -> "rank %d on %s".formatted(it.rank(), it.workerName()))
                        .collect(Collectors.joining(", ", "the others have lost ", ""));
    }

    /** Gives the ranks that are left new places, in a new generation. */
    void regroup(Run run, List<Seat> seats, List<Integer> places, Resumed resumed) {
        Position from = resumed.continuation().from();
        long reached = from.step(run.rounds());
        int fruitless = reached > run.furthest() ? 1 : run.fruitless() + 1;
        List<Replica> ranks = replicas.findByKeyRunIdOrderByKeyRank(run.id());
        replicas.removeFrom(run.id(), seats.size());
        run.regroup(seats.size(), resumed, fruitless, reached);
        RunMarks.mark(run);
        for (int rank = 0; rank < seats.size(); rank++) {
            seat(run, ranks, rank, places.get(rank), seats.get(rank))
                    .reach(reached(rank, from, run.rounds()));
        }
        forgetAfter(run, from.epoch() - 1);
        closeEpochs(run);
        metrics.rewind(run.id(), reached);
        told.tell(run.id(), new RunEvent.State(run.state()));
        told.tell(run.id(), RunEvent.Placed.of(run.generation(), seats));
        log.info(
                "run regrouped: {} generation {} from epoch {} round {} shares {}",
                run.id(),
                run.generation(),
                from.epoch(),
                from.round(),
                seats.stream().map(Seat::share).toList());
        events.publishEvent(new RunRegrouped(RunId.of(run.id()), run.generation()));
    }

    /** What lost ranks had not told yet of epochs that are done does not come any more. */
    void closeEpochs(Run run) {
        List<Integer> open = results.findOpen(run.id());
        for (int epoch : open) {
            results.close(run.id(), epoch);
            told.note(
                    run.id(),
                    says("has epoch %d without the figures of who is lost".formatted(epoch)));
            told.tell(
                    run.id(),
                    RunEvent.Epoch.of(
                            run.rounds(),
                            results.findByKeyRunIdAndKeyEpochOrderByKeyRank(run.id(), epoch)));
        }
        if (!open.isEmpty()) {
            run.measure(results.summedUp(run));
        }
    }

    /** In the place of who had the rank before, or as one that is new. */
    private Replica seat(Run run, List<Replica> before, int rank, int place, Seat seat) {
        if (rank < before.size()) {
            before.get(rank).reseat(place, seat);
            return before.get(rank);
        }
        return replicas.save(new Replica(run.id(), rank, place, seat));
    }

    private static AgentEvent.RoundReached reached(int rank, Position from, int rounds) {
        return from.round() == 0 && from.epoch() > 1
                ? new AgentEvent.RoundReached(rank, from.epoch() - 1, rounds)
                : new AgentEvent.RoundReached(rank, from.epoch(), from.round());
    }

    /** A run cannot go on where it is: it waits for other workers, or is given up. */
    void recover(Run run, RunFailure failure) {
        long reached = reached(run);
        Recovery decision =
                Recovery.of(
                        failure,
                        run.configuration().restarts(),
                        run.fruitless(),
                        run.furthest(),
                        reached,
                        settings.pauses());
        switch (decision) {
            case Recovery.GiveUp(var why) -> endings.fail(run, why);
            case Recovery.Restart restart -> setBack(run, failure, restart, reached);
        }
    }

    /** Rounds since the run began that any of its ranks has done. */
    private long reached(Run run) {
        return replicas.findByKeyRunIdOrderByKeyRank(run.id()).stream()
                .filter(it -> it.epoch() > 0)
                .mapToLong(it -> (it.epoch() - 1L) * run.rounds() + it.round())
                .max()
                .orElse(0);
    }

    /** It waits again; what its ranks have told of epochs that are done anew is forgotten. */
    private void setBack(Run run, RunFailure failure, Recovery.Restart restart, long reached) {
        int epoch = checkpoints.lastTold(run);
        Instant now = clock.instant();
        var interruption = new Interruption(null, failure, epoch, now);
        Waiting reason = new Waiting("set-back", interruption.message());
        rewind(run, epoch);
        run.setBack(failure, restart, epoch, reached, reason, now);
        told.tell(run.id(), new RunEvent.SetBack(failure, epoch));
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.warn(
                "run set back: {} to epoch {}: {} {}",
                run.id(),
                epoch,
                failure.code(),
                failure.message());
        events.publishEvent(
                new RunSetBack(RunId.of(run.id()), run.projectId(), run.generation(), epoch));
    }

    private void rewind(Run run, int epoch) {
        forgetAfter(run, epoch);
        metrics.rewind(run.id(), (long) epoch * run.rounds());
        run.measure(epoch == 0 ? null : results.summedUp(run));
    }

    /** What is told again of epochs that are done again, or to their end. */
    private void forgetAfter(Run run, int epoch) {
        results.forgetAfter(run.id(), epoch);
        traces.forgetAfter(run.id(), epoch);
        orders.forgetAfter(run.id(), epoch);
    }

    /** Before an agent has begun there is nothing to go on with. */
    private static boolean isElastic(Run run) {
        return run.configuration().isElastic() && run.state() != RunState.PLACED;
    }

    /** Whether its ranks need none of those that are lost until the epoch ends. */
    private static boolean isCarriedOn(Run run) {
        return run.configuration().carriesOn() && run.state() == RunState.RUNNING;
    }

    private static RunEvent.Noted says(String text) {
        return new RunEvent.Noted(null, null, text);
    }
}
