package dev.equipoise.app.schedule;

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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One pass over the queue, with the workers as they were when it began. */
final class QueuePass {

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
     */
    record Lab(
            List<LabWorker> live,
            Set<WorkerId> free,
            Set<WorkerId> beingProfiled,
            List<Links.UnderWay> linksUnderWay,
            Horizon horizon,
            Allowances allowances) {

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

    /**
     * Begins.
     *
     * @param waiting in the order of the queue
     * @param speeds of this pass
     */
    QueuePass(
            List<Queued> waiting,
            Lab lab,
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
        for (Queued run : waiting) {
            placed |= Attempt.at(() -> place(run));
        }
        missing.forEach(it -> Attempt.run(() -> profiles.require(it.company(), it.network())));
        missingLinks.forEach(it -> Attempt.run(() -> links.require(it)));
        changed.forEach((reason, ids) -> Attempt.run(() -> queue.waitFor(ids, reason)));
        Attempt.run(() -> queue.tell(Outlook.of(standing, horizon), horizon.now()));
        return placed;
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
                        run.length(),
                        Placement.fitting(run.configuration(), live),
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
                var seating =
                        new Seating(
                                run.configuration(),
                                place.workers(),
                                new KnownSpeeds(run.configuration(), place.workers(), speeds)::of,
                                orders.sharesToRepeat(run.configuration()));
                Optional<HybridSeating> groups = groups(run, seating);
                Optional<Hybrid> hybrid = groups.map(choosing::groups);
                yield assignments.offerRun(
                        run.id(),
                        groups.map(it -> it.seats(hybrid.orElseThrow())).orElseGet(seating::seats),
                        hybrid.orElse(null),
                        seating.speeds(),
                        run.configuration().followsLinks()
                                ? costs(place.workers()).orElseThrow()
                                : List.of());
            }
        };
    }

    private Placement.Decision decide(Queued run, Predicate<WorkerId> mayBeTaken) {
        return Placement.decide(
                run.configuration(),
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
        backfill.take(workers, run.length());
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
                        run.length(),
                        Placement.fitting(open, live),
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
            case Placement.Decision.Place place ->
                    choosing.choose(run.project(), open, allowed(run, place.workers()))
                            .map(chosen -> place(run, chosen))
                            .orElseGet(
                                    () -> nothingFits(run, allowed(run, place.workers()).size()));
            case Placement.Decision.ProfileLinks links ->
                    throw new IllegalStateException("an open run follows no links: " + links);
        };
    }

    private List<LabWorker> allowed(Queued run, List<LabWorker> idle) {
        return idle.stream().limit(allowances.left(run)).toList();
    }

    private boolean place(Queued run, Choosing.Chosen chosen) {
        List<Seat> seats = chosen.seating().seats();
        take(run, seats.stream().map(Seat::worker).distinct().toList());
        return assignments.offerChosen(
                run.id(), chosen.configuration(), seats, chosen.seating().speeds());
    }

    /** Others that are busy may be what it takes. */
    private boolean nothingFits(Queued run, int idle) {
        List<LabWorker> fitting = Placement.fitting(run.configuration(), live);
        if (fitting.size() > idle) {
            isHeadFound = true;
            backfill.reserve(fitting, fitting.size());
            return waits(
                    run,
                    new Waiting(
                            Placement.BUSY,
                            "nothing that the definition leaves open fits the %d of %d workers that are idle"
                                    .formatted(idle, fitting.size())));
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
        List<LabWorker> fitting = Placement.fitting(run.configuration(), live);
        if (!isHeadFound) {
            isHeadFound = true;
            Set<WorkerId> ids = Set.copyOf(ids(fitting));
            blocked =
                    new RoomMaking.Blocked(
                            run,
                            ids,
                            ids.stream().filter(free::contains).collect(Collectors.toSet()),
                            busy.wanted());
        }
        return waits(run, busy.reason(), fitting);
    }

    /** The first run that waits for busy workers; empty where there is none. */
    Optional<RoomMaking.Blocked> blocked() {
        return Optional.ofNullable(blocked);
    }

    private boolean waits(Queued run, Waiting reason) {
        return waits(run, reason, Placement.fitting(run.configuration(), live));
    }

    /**
     * Notes why a run waits.
     *
     * @param fitting the workers that it may get as things stand; none where it may have none
     */
    private boolean waits(Queued run, Waiting reason, List<LabWorker> fitting) {
        standing.add(
                new Outlook.Standing(
                        run.id(),
                        fitting,
                        Placement.leastWanted(run.configuration()),
                        run.length()));
        Interruption interruption = run.interruption();
        Waiting told = interruption == null ? reason : interruption.explaining(reason);
        if (!told.equals(run.waiting())) {
            changed.computeIfAbsent(told, _ -> new ArrayList<>()).add(run.id());
        }
        return false;
    }
}
