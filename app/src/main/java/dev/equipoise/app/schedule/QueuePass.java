package dev.equipoise.app.schedule;

import dev.equipoise.app.computing.Meanwhile;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Choosing;
import dev.equipoise.app.plan.HybridSeating;
import dev.equipoise.app.plan.Seating;
import dev.equipoise.app.profile.Failing;
import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.Interruption;
import dev.equipoise.app.run.Orders;
import dev.equipoise.app.run.RunFailure;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.run.RunQueue.Queued;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.run.Waiting;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One pass over the queue, with the workers as they were when it began. */
final class QueuePass {

    /** Runs that are looked at, which takes a second at most, until the turn is kept again. */
    private static final int KEPT_EVERY = 250;

    private record Missing(Map<WorkerId, Profiles.Part> company, Architecture network) {}

    /**
     * What the lab is like when a pass begins.
     *
     * @param free the workers that may be taken: one that became idle since is for the head of the
     *     queue, which has had its turn
     * @param beingProfiled the workers of which a profile is under way
     * @param linksUnderWay the measurements of links that are not over
     * @param horizon when workers will be free
     * @param allowances what projects may still use
     * @param roomInVain in words, why nobody makes room who should
     */
    record Lab(
            List<LabWorker> live,
            Set<WorkerId> free,
            Set<WorkerId> beingProfiled,
            List<Links.UnderWay> linksUnderWay,
            Horizon horizon,
            Allowances allowances,
            Function<RoomMaking.Blocked, Optional<String>> roomInVain) {

        Lab {
            live = List.copyOf(live);
            free = Set.copyOf(free);
            beingProfiled = Set.copyOf(beingProfiled);
            linksUnderWay = List.copyOf(linksUnderWay);
        }
    }

    private final List<Queued> waiting;
    private final List<LabWorker> live;
    private final Set<WorkerId> spokenFor = new HashSet<>();
    private final Set<WorkerId> free;
    private final Set<WorkerId> beingProfiled;
    private final List<Links.UnderWay> linksUnderWay;
    private final Horizon horizon;
    private final Allowances allowances;
    private final Function<RoomMaking.Blocked, Optional<String>> roomInVain;
    private final Fitting fitting;
    private final Foresight foresight;
    private final Turn turn;
    private final Turn.Taken own;
    private final Backfill backfill;
    private final List<Outlook.Standing> standing = new ArrayList<>();
    private final Speeds speeds;
    private final Profiles profiles;
    private final Links links;
    private final RunLifecycle runs;
    private final RunQueue queue;
    private final Assignments assignments;
    private final Orders orders;
    private final Choosing choosing;
    private final Set<Missing> missing = new HashSet<>();
    private final Set<Set<WorkerId>> missingLinks = new HashSet<>();
    private final Map<List<WorkerId>, Optional<List<MeasuredLink>>> knownLinks = new HashMap<>();
    private final Map<Waiting, List<RunId>> changed = new LinkedHashMap<>();
    private RoomMaking.@Nullable Blocked blocked;
    private boolean isHeadFound;
    private boolean isTurnOver;

    /**
     * Begins.
     *
     * @param waiting in the order of the queue
     * @param own the turn of which it is
     * @param speeds of this pass
     */
    QueuePass(
            List<Queued> waiting,
            Lab lab,
            Fitting fitting,
            Foresight foresight,
            Turn turn,
            Turn.Taken own,
            Speeds speeds,
            Profiles profiles,
            Links links,
            RunLifecycle runs,
            RunQueue queue,
            Assignments assignments,
            Orders orders,
            Choosing choosing) {
        this.waiting = waiting;
        this.live = lab.live();
        this.free = new HashSet<>(lab.free());
        this.beingProfiled = lab.beingProfiled();
        this.linksUnderWay = lab.linksUnderWay();
        this.horizon = lab.horizon();
        this.allowances = lab.allowances();
        this.roomInVain = lab.roomInVain();
        this.fitting = fitting;
        this.foresight = foresight;
        this.turn = turn;
        this.own = own;
        this.backfill = new Backfill(horizon);
        this.speeds = speeds;
        this.profiles = profiles;
        this.links = links;
        this.runs = runs;
        this.queue = queue;
        this.assignments = assignments;
        this.orders = orders;
        this.choosing = choosing;
    }

    /**
     * Goes over all runs that wait.
     *
     * @return whether a run was placed
     */
    boolean over() {
        if (waiting.isEmpty()) {
            return false;
        }
        boolean placed = false;
        int seen = 0;
        for (Queued run : waiting) {
            if (seen++ % KEPT_EVERY == 0) {
                keepTurn();
            }
            placed |= !isTurnOver && Attempt.at(() -> place(run));
        }
        if (!isTurnOver) {
            tell();
        }
        return placed;
    }

    private void tell() {
        missing.forEach(it -> Attempt.run(() -> profiles.require(it.company(), it.network())));
        missingLinks.forEach(it -> Attempt.run(() -> links.require(it)));
        changed.forEach((reason, ids) -> Attempt.run(() -> queue.waitFor(ids, reason)));
        Attempt.run(() -> queue.tell(Outlook.of(standing, horizon), horizon.now()));
    }

    /** While it computes, other instances would begin a pass that knows nothing of this one. */
    private void keepTurn() {
        isTurnOver = isTurnOver || !turn.keep(own);
    }

    /** What is refused may be so because the turn is over. */
    private boolean offered(boolean offered) {
        if (!offered) {
            keepTurn();
        }
        return offered;
    }

    /** Whether another has begun, which knows better by now. */
    boolean isTurnOver() {
        return isTurnOver;
    }

    /** The workers that runs got, and those that are kept for one. */
    Set<WorkerId> spokenFor() {
        Set<WorkerId> all = new HashSet<>(spokenFor);
        all.addAll(backfill.kept());
        return all;
    }

    private boolean place(Queued run) {
        Optional<Waiting> refusal = allowances.refusal(run);
        if (refusal.isPresent()) {
            return waits(run, refusal.get(), List.of());
        }
        if (run.configuration().isOpen()) {
            return placeOpen(run);
        }
        if (isWaitedForLinks(run.configuration())) {
            return waits(run, Placement.profilingLinks(run.configuration().workersWanted()));
        }
        var kernel = new Kernel.TrainingStep(run.configuration().architecture().name());
        Placement.Decision decision =
                backfill.decide(
                        workers -> foresight.on(workers, run),
                        fitting.of(run.configuration()),
                        mayBeTaken -> decide(run, mayBeTaken));
        return switch (decision) {
            case Placement.Decision.Wait wait -> waits(run, wait.reason());
            case Placement.Decision.Busy busy -> waitsForBusy(run, busy);
            case Placement.Decision.Profile unknown -> waitsForProfiles(run, unknown, kernel);
            case Placement.Decision.ProfileLinks unknown -> {
                Set<WorkerId> workers = Set.copyOf(ids(unknown.workers()));
                Optional<RunFailure> failing = failing(run, workers);
                if (failing.isPresent()) {
                    runs.giveUp(run.id(), failing.get());
                    yield false;
                }
                missingLinks.add(workers);
                takeToMeasure(unknown.workers());
                yield waits(run, unknown.reason());
            }
            case Placement.Decision.Place place -> {
                take(run, ids(place.workers()));
                var known = new KnownSpeeds(run.configuration(), place.workers(), speeds);
                var seating =
                        new Seating(
                                run.configuration(),
                                place.workers(),
                                known::of,
                                orders.sharesToRepeat(run.configuration()));
                Optional<HybridSeating> groups = groups(run, seating);
                groups.ifPresent(_ -> keepTurn());
                Optional<Hybrid> hybrid = groups.map(it -> choosing.groups(it, keepingTurn()));
                yield offered(
                        assignments.offerRun(
                                own,
                                run.id(),
                                known.explained(
                                        groups.map(it -> it.seats(hybrid.orElseThrow()))
                                                .orElseGet(seating::seats)),
                                hybrid.orElse(null),
                                seating.speeds(),
                                run.configuration().followsLinks()
                                        ? costs(place.workers()).orElseThrow()
                                        : List.of()));
            }
        };
    }

    private Placement.Decision decide(Queued run, Predicate<WorkerId> mayBeTaken) {
        return Placement.decide(
                run.configuration(),
                new Placement.Wanted(
                        Placement.leastWanted(run, horizon.now()),
                        Math.min(run.configuration().workersWanted(), allowances.left(run))),
                live,
                worker -> free.contains(worker.id()) && mayBeTaken.test(worker.id()),
                workers -> new KnownSpeeds(run.configuration(), workers, speeds).missing(),
                worker -> beingProfiled.contains(worker.id()),
                workers ->
                        costs(workers).isPresent()
                                && (!run.configuration().wantsAllReduces()
                                        || !allReduces(run, workers).isEmpty()));
    }

    private void take(Queued run, List<WorkerId> workers) {
        workers.forEach(free::remove);
        spokenFor.addAll(workers);
        allowances.take(run, workers.size());
        backfill.take(workers, run.lengthOn(workers.size()));
    }

    /** What a run needs to be measured has the run's turn: nobody behind it gets the workers. */
    private void takeToMeasure(List<LabWorker> workers) {
        ids(workers).forEach(free::remove);
        backfill.take(ids(workers), Expectation.MEASURING);
    }

    /** A run that leaves something to the service, which is chosen now. */
    private boolean placeOpen(Queued run) {
        RunConfiguration open = run.configuration();
        var kernel = new Kernel.TrainingStep(open.architecture().name());
        Placement.Decision decision =
                backfill.decide(
                        _ -> run.length(),
                        fitting.of(open),
                        mayBeTaken ->
                                Placement.decideOpen(
                                        open,
                                        live,
                                        worker ->
                                                free.contains(worker.id())
                                                        && mayBeTaken.test(worker.id()),
                                        idle -> speeds.missing(idle, kernel),
                                        worker -> beingProfiled.contains(worker.id())));
        return switch (decision) {
            case Placement.Decision.Wait wait -> waits(run, wait.reason());
            case Placement.Decision.Busy busy -> waitsForBusy(run, busy);
            case Placement.Decision.Profile unknown -> waitsForProfiles(run, unknown, kernel);
            case Placement.Decision.Place place -> choose(run, allowed(run, place.workers()));
            case Placement.Decision.ProfileLinks links ->
                    throw new IllegalStateException("an open run follows no links: " + links);
        };
    }

    private boolean choose(Queued run, List<LabWorker> idle) {
        keepTurn();
        if (isTurnOver) {
            return false;
        }
        Optional<Choosing.Chosen> chosen =
                choosing.choose(run.project(), run.configuration(), idle, keepingTurn());
        return !isTurnOver
                && chosen.map(it -> place(run, it)).orElseGet(() -> nothingFits(run, idle.size()));
    }

    /** What computes for longer than a turn lasts would lose it, now and whenever tried again. */
    private Meanwhile keepingTurn() {
        return new Meanwhile(turn.keptEvery(), this::keepTurn);
    }

    private List<LabWorker> allowed(Queued run, List<LabWorker> idle) {
        return idle.stream().limit(allowances.left(run)).toList();
    }

    private boolean place(Queued run, Choosing.Chosen chosen) {
        var known = new KnownSpeeds(chosen.configuration(), chosen.seating().chosen(), speeds);
        List<Seat> seats = known.explained(chosen.seating().seats());
        take(run, seats.stream().map(Seat::worker).distinct().toList());
        return offered(
                assignments.offerChosen(
                        own, run.id(), chosen.configuration(), seats, chosen.seating().speeds()));
    }

    /** Others that are busy may be what it takes. */
    private boolean nothingFits(Queued run, int idle) {
        List<LabWorker> all = fitting.of(run.configuration());
        if (all.size() > idle) {
            isHeadFound = true;
            backfill.reserve(all, all.size());
            return waits(
                    run,
                    new Waiting(
                            Placement.BUSY,
                            "nothing that the definition leaves open fits the %d of %d workers that are idle"
                                    .formatted(idle, all.size())));
        }
        runs.giveUp(
                run.id(),
                new RunFailure(
                        FailureCause.USER,
                        "nothing-fits",
                        "nothing that the definition leaves open fits the %d workers that are there"
                                .formatted(idle)));
        return false;
    }

    private boolean waitsForProfiles(
            Queued run, Placement.Decision.Profile unknown, Kernel.TrainingStep kernel) {
        Optional<RunFailure> failing = failing(run, unknown.needs(), kernel);
        if (failing.isPresent()) {
            runs.giveUp(run.id(), failing.get());
            return false;
        }
        Architecture network = run.configuration().architecture();
        unknown.needs()
                .forEach(it -> {
                    missing.add(missing(it, network));
                    takeToMeasure(it.company());
                });
        return waits(run, unknown.reason());
    }

    /** Whether links are being measured between enough workers; other workers need none then. */
    private boolean isWaitedForLinks(RunConfiguration configuration) {
        if (!configuration.wantsLinks()) {
            return false;
        }
        Set<WorkerId> fitting =
                live.stream()
                        .filter(worker -> worker.matches(configuration.workers().selector()))
                        .map(LabWorker::id)
                        .collect(Collectors.toSet());
        return linksUnderWay.stream()
                .anyMatch(it ->
                        it.workers().size() >= configuration.workersWanted()
                                && fitting.containsAll(it.workers()));
    }

    private static Missing missing(Need need, Architecture network) {
        return new Missing(need.parts(), network);
    }

    /** Of all links between the workers, where all are known. */
    private Optional<List<MeasuredLink>> costs(List<LabWorker> workers) {
        return knownLinks.computeIfAbsent(ids(workers), links::between);
    }

    /** Of a run whose ranks share hidden units. */
    private Optional<HybridSeating> groups(Queued run, Seating seating) {
        return run.configuration().partitioning() instanceof Partitioning.Hybrid wanted
                ? Optional.of(new HybridSeating(seating, wanted, allReduces(run, seating.chosen())))
                : Optional.empty();
    }

    /** Over these workers, by the run's algorithm; none where they were not measured. */
    private List<MeasuredAllReduce> allReduces(Queued run, List<LabWorker> workers) {
        return run.configuration().topology() instanceof Topology.AllReduce(var algorithm, var _)
                ? links.allReduces(Set.copyOf(ids(workers)), algorithm)
                : List.of();
    }

    private static List<WorkerId> ids(List<LabWorker> workers) {
        return workers.stream().map(LabWorker::id).toList();
    }

    /** Workers whose links could never be measured while the run waited would fail without end. */
    private Optional<RunFailure> failing(Queued run, Set<WorkerId> unknown) {
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

    /** A worker that only ever failed while the run waited would do so without end. */
    private Optional<RunFailure> failing(Queued run, List<Need> needs, Kernel.TrainingStep kernel) {
        record Blamed(LabWorker worker, Failing failing) {}
        return needs.stream()
                .flatMap(need -> need.company().stream())
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
            LabWorker worker, Kernel.TrainingStep kernel, Failing failing) {
        return new RunFailure(
                FailureCause.WORKER,
                "profile-failed",
                "%s failed %d times in a row to measure %s, the last time: %s"
                        .formatted(worker.name(), failing.times(), kernel.label(), failing.last()));
    }

    /** Of the runs that wait for busy workers, the first has them kept, and others make room. */
    private boolean waitsForBusy(Queued run, Placement.Decision.Busy busy) {
        if (isHeadFound) {
            return waits(run, busy.reason());
        }
        isHeadFound = true;
        Set<WorkerId> ids = Set.copyOf(ids(fitting.of(run.configuration())));
        var head =
                new RoomMaking.Blocked(
                        run,
                        ids,
                        ids.stream().filter(free::contains).collect(Collectors.toSet()),
                        busy.wanted());
        blocked = head;
        return waits(run, roomInVain.apply(head).map(busy.reason()::and).orElse(busy.reason()));
    }

    /** The first run that waits for busy workers; empty where there is none. */
    Optional<RoomMaking.Blocked> blocked() {
        return Optional.ofNullable(blocked);
    }

    private boolean waits(Queued run, Waiting reason) {
        return waits(run, reason, fitting.of(run.configuration()));
    }

    /**
     * Notes why a run waits.
     *
     * @param available the workers that it may get as things stand; none where it may have none
     */
    private boolean waits(Queued run, Waiting reason, List<LabWorker> available) {
        standing.add(
                new Outlook.Standing(
                        run.id(),
                        available,
                        Placement.leastWanted(run, horizon.now()),
                        run.length()));
        Interruption interruption = run.interruption();
        Waiting told = interruption == null ? reason : interruption.explaining(reason);
        if (!told.equals(run.waiting())) {
            changed.computeIfAbsent(told, _ -> new ArrayList<>()).add(run.id());
        }
        return false;
    }
}
