package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.plan.Choosing;
import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.ProfileState;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.app.run.Orders;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.run.RunQueue.Queued;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/**
 * Gives waiting work to idle workers: profiles first, then measurements of links, then runs in the
 * order of their projects' shares. A worker that has measured is for runs first, though.
 *
 * <p>A pass decides on what it read at its beginning, however long the queue is; a transaction is
 * opened only for what changes, and looks again at what it changes.
 */
@Component
class Scheduler {

    private final Workers workers;
    private final SpeedCurves curves;
    private final Profiles profiles;
    private final Links links;
    private final RunLifecycle runs;
    private final RunQueue queue;
    private final Usage usage;
    private final Assignments assignments;
    private final Orders orders;
    private final Choosing choosing;
    private final Foresight foresight;
    private final Growing growing;
    private final Turn turn;
    private final Quotas quotas;
    private final ScheduleSettings settings;
    private final Clock clock;

    Scheduler(
            Workers workers,
            SpeedCurves curves,
            Profiles profiles,
            Links links,
            RunLifecycle runs,
            RunQueue queue,
            Usage usage,
            Assignments assignments,
            Orders orders,
            Choosing choosing,
            Foresight foresight,
            Growing growing,
            Turn turn,
            Quotas quotas,
            ScheduleSettings settings,
            Clock clock) {
        this.workers = workers;
        this.curves = curves;
        this.profiles = profiles;
        this.links = links;
        this.runs = runs;
        this.queue = queue;
        this.usage = usage;
        this.assignments = assignments;
        this.orders = orders;
        this.choosing = choosing;
        this.foresight = foresight;
        this.growing = growing;
        this.turn = turn;
        this.quotas = quotas;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Goes over all work that waits, once.
     *
     * @param own the turn in which it does
     * @return whether anything was offered
     */
    boolean pass(Turn.Taken own) {
        List<Profiles.UnderWay> underWay = profiles.underWay();
        List<Links.UnderWay> linksUnderWay = links.underWay();
        List<Queued> waiting = queue.queued();
        if (underWay.isEmpty() && linksUnderWay.isEmpty() && waiting.isEmpty()) {
            makeRoom(Optional.empty(), roomMaking(Map.of()), List.of());
            Attempt.run(() -> growing.ask(free(workers.live())));
            return false;
        }
        List<LabWorker> live = workers.live();
        Set<WorkerId> free = free(live);
        Set<WorkerId> beingProfiled =
                underWay.stream()
                        .flatMap(session -> session.workers().stream())
                        .collect(Collectors.toSet());
        Set<WorkerId> rested = rested(underWay, linksUnderWay);
        boolean measuring = offer(underWay, linksUnderWay, free, rested::containsAll);
        Set<WorkerId> idle = Set.copyOf(free);
        Present present = present(waiting);
        Map<UUID, Double> used = waiting.isEmpty() ? Map.of() : usage.byProject(present.held());
        RoomMaking roomMaking = roomMaking(used);
        Fitting fitting = new Fitting(live);
        List<Queued> order = order(foresight.of(waiting, fitting), used);
        foresight.lookAhead(order, fitting);
        QueuePass queuePass =
                pass(
                        own,
                        order,
                        fitting,
                        new QueuePass.Lab(
                                live,
                                free,
                                beingProfiled,
                                linksUnderWay,
                                present.horizon(),
                                new Allowances(
                                        quotas::of,
                                        usage::week,
                                        present.held(),
                                        present.horizon().now()),
                                blocked -> roomMaking.inVain(blocked, present.mayMakeRoom())));
        boolean training = queuePass.over();
        if (queuePass.isTurnOver()) {
            return measuring || training;
        }
        makeRoom(queuePass.blocked(), roomMaking, present.mayMakeRoom());
        Set<WorkerId> left = new HashSet<>(idle);
        left.removeAll(queuePass.spokenFor());
        Attempt.run(() -> growing.ask(left));
        boolean measuringAgain =
                offer(underWay, linksUnderWay, left, it -> !rested.containsAll(it));
        return measuring || training || measuringAgain;
    }

    private static Set<WorkerId> free(List<LabWorker> live) {
        return live.stream()
                .filter(worker -> worker.state() == WorkerState.IDLE)
                .filter(LabWorker::takesWork)
                .filter(worker -> worker.coolingUntil() == null)
                .map(LabWorker::id)
                .collect(Collectors.toSet());
    }

    /**
     * The workers of measurements that wait, but for those whose last work was a measurement: these
     * are for runs first, so that however much there is to measure, no run waits for all of it.
     */
    private Set<WorkerId> rested(
            List<Profiles.UnderWay> underWay, List<Links.UnderWay> linksUnderWay) {
        Set<WorkerId> workers =
                Stream.concat(
                                underWay.stream().flatMap(it -> it.workers().stream()),
                                linksUnderWay.stream().flatMap(it -> it.workers().stream()))
                        .collect(Collectors.toSet());
        workers.removeAll(assignments.measuredLast(workers));
        return workers;
    }

    private boolean offer(
            List<Profiles.UnderWay> underWay,
            List<Links.UnderWay> linksUnderWay,
            Set<WorkerId> free,
            Predicate<List<WorkerId>> isTheirTurn) {
        boolean profiling =
                offerProfiles(
                        underWay.stream().filter(it -> isTheirTurn.test(it.workers())).toList(),
                        free);
        boolean linking =
                offerLinks(
                        linksUnderWay.stream()
                                .filter(it -> isTheirTurn.test(it.workers()))
                                .toList(),
                        free);
        return profiling || linking;
    }

    /** Where nothing waits, nobody need know. */
    private Present present(List<Queued> waiting) {
        return waiting.isEmpty()
                ? Present.of(List.of(), List.of(), clock.instant())
                : Present.of(assignments.atWork(), queue.underWay(), clock.instant());
    }

    private List<Queued> order(List<Queued> waiting, Map<UUID, Double> used) {
        return new FairShare(used, new Ageing(settings.ageing()), FairShare::expectedWorkerSeconds)
                .order(waiting);
    }

    private QueuePass pass(
            Turn.Taken own, List<Queued> inOrder, Fitting fitting, QueuePass.Lab lab) {
        return new QueuePass(
                inOrder,
                lab,
                fitting,
                foresight,
                turn,
                own,
                new Speeds(curves, profiles),
                profiles,
                links,
                runs,
                queue,
                assignments,
                orders,
                choosing);
    }

    private RoomMaking roomMaking(Map<UUID, Double> used) {
        return new RoomMaking(
                settings.preemptAfter(),
                settings.spareFor(),
                new Ageing(settings.ageing()),
                used,
                clock.instant());
    }

    /** Asks those who should make room, as things are now, and nobody else any more. */
    private void makeRoom(
            Optional<RoomMaking.Blocked> blocked,
            RoomMaking decision,
            List<RoomMaking.Training> mayMakeRoom) {
        Set<RunId> chosen = blocked.map(it -> decision.forThe(it, mayMakeRoom)).orElse(Set.of());
        chosen.forEach(it -> Attempt.run(() -> runs.preempt(it, blocked.orElseThrow().run().id())));
        queue.askedToStop().stream()
                .filter(it -> !chosen.contains(it))
                .forEach(it -> Attempt.run(() -> runs.spare(it)));
    }

    private boolean offerLinks(List<Links.UnderWay> underWay, Set<WorkerId> free) {
        boolean offered = false;
        for (Links.UnderWay it : underWay) {
            if (it.state() == ProfileState.PENDING) {
                offered |=
                        offerTogether(
                                it.workers(),
                                free,
                                () -> assignments.offerLinks(it.id(), it.workers()));
            }
        }
        return offered;
    }

    private boolean offerProfiles(List<Profiles.UnderWay> underWay, Set<WorkerId> free) {
        boolean offered = false;
        for (Profiles.UnderWay it : underWay) {
            if (it.isPending()) {
                offered |=
                        offerTogether(
                                it.workers(),
                                free,
                                () -> assignments.offerProfiles(it.session(), it.workers()));
            }
        }
        return offered;
    }

    /** Needs its workers all at once: those that are free are kept for it until the last one is. */
    private static boolean offerTogether(
            List<WorkerId> wanted, Set<WorkerId> free, BooleanSupplier offer) {
        boolean offered = free.containsAll(wanted) && Attempt.at(offer);
        wanted.forEach(free::remove);
        return offered;
    }
}
