package dev.equipoise.app.schedule;

import dev.equipoise.app.allocation.MeasuredSpeeds;
import dev.equipoise.app.allocation.ProfileGap;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.measurement.MeasurementKind;
import dev.equipoise.app.measurement.OpenSession;
import dev.equipoise.app.measurement.Profiles;
import dev.equipoise.app.queue.PreviousStop;
import dev.equipoise.app.queue.QueuePosition;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
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

/**
 * Decides on the queued runs of one scheduling pass, on a snapshot of the lab at its beginning.
 * {@link DecisionApplier} applies the decisions. Each decision counts for those on later runs,
 * whether it can be applied or not.
 */
final class SchedulingPass {

    /** The profiles of co-located workers that runs need. */
    record MissingProfiles(Map<WorkerId, Profiles.Requirement> company, Architecture network) {}

    /**
     * Snapshot of the lab at the beginning of a pass.
     *
     * @param free the workers that may be taken; a worker that becomes idle later waits for the
     *     next pass, as it belongs to the head of the queue
     * @param sessions the unfinished measurement sessions
     * @param availability when each worker becomes free
     * @param quotas the unused quotas of projects
     * @param preemptionObstacle the message why no run is preempted for a blocked run
     */
    record Lab(
            List<LabWorker> live,
            Set<WorkerId> free,
            List<OpenSession> sessions,
            AvailabilityProfile availability,
            QuotaTracker quotas,
            Function<PreemptionPolicy.Blocked, Optional<String>> preemptionObstacle) {

        Lab {
            live = List.copyOf(live);
            free = Set.copyOf(free);
            sessions = List.copyOf(sessions);
        }

        private Set<WorkerId> beingProfiled() {
            return sessions.stream()
                    .filter(it -> it.kind() == MeasurementKind.PROFILES)
                    .flatMap(it -> it.workers().stream())
                    .collect(Collectors.toSet());
        }

        private List<OpenSession> links() {
            return sessions.stream().filter(it -> it.kind() == MeasurementKind.LINKS).toList();
        }
    }

    private final List<QueuedRun> queued;
    private final Lab lab;
    private final EligibleWorkers eligible;
    private final QueueRuntimes runtimes;
    private final MeasurementCache measured;

    private final Set<WorkerId> free;
    private final Set<WorkerId> beingProfiled;
    private final List<OpenSession> linksUnderWay;
    private final Set<WorkerId> claimed = new HashSet<>();
    private final Backfill backfill;
    private final List<StartTimePredictor.Entry> entries = new ArrayList<>();
    private final Set<MissingProfiles> missingProfiles = new HashSet<>();
    private final Set<Set<WorkerId>> missingLinks = new HashSet<>();
    private final Map<WaitReason, List<RunId>> waitReasons = new LinkedHashMap<>();
    private PreemptionPolicy.@Nullable Blocked blocked;
    private boolean isHeadFound;

    /**
     * @param queued the queued runs in queue order
     * @param measured cache of this pass
     */
    SchedulingPass(
            List<QueuedRun> queued,
            Lab lab,
            EligibleWorkers eligible,
            QueueRuntimes runtimes,
            MeasurementCache measured) {
        this.queued = List.copyOf(queued);
        this.lab = lab;
        this.eligible = eligible;
        this.runtimes = runtimes;
        this.measured = measured;
        this.free = new HashSet<>(lab.free());
        this.beingProfiled = lab.beingProfiled();
        this.linksUnderWay = lab.links();
        this.backfill = new Backfill(lab.availability());
    }

    List<QueuedRun> queued() {
        return queued;
    }

    /** The workers that runs of this pass got or have reserved. */
    Set<WorkerId> claimed() {
        Set<WorkerId> all = new HashSet<>(claimed);
        all.addAll(backfill.reservedWorkers());
        return all;
    }

    /** The first run that waits for busy workers; empty if there is none. */
    Optional<PreemptionPolicy.Blocked> blocked() {
        return Optional.ofNullable(blocked);
    }

    /** The profiles that waiting runs need. */
    Set<MissingProfiles> missingProfiles() {
        return Set.copyOf(missingProfiles);
    }

    /** The sets of workers between which waiting runs need all links. */
    Set<Set<WorkerId>> missingLinks() {
        return Set.copyOf(missingLinks);
    }

    /** The runs whose wait reason has changed. */
    Map<WaitReason, List<RunId>> waitReasons() {
        return Collections.unmodifiableMap(waitReasons);
    }

    /** Predicts the start of all waiting runs. Call it once, after the last decision. */
    Map<RunId, QueuePosition> positions() {
        return StartTimePredictor.of(entries, lab.availability());
    }

    Instant now() {
        return lab.availability().now();
    }

    /** Decides on one run; call it for each in queue order. */
    RunDecision decide(QueuedRun run) {
        RunConfiguration configuration = run.configuration();
        Optional<WaitReason> exceededQuota = lab.quotas().exceededQuota(run);
        if (exceededQuota.isPresent()) {
            return waits(run, exceededQuota.get(), List.of());
        }
        if (!configuration.isOpen() && areLinksBeingMeasured(configuration)) {
            return waits(run, Placement.profilingLinks(configuration.workersWanted()));
        }
        Function<List<LabWorker>, MeasuredSpeeds> speeds = cachedSpeeds(configuration);
        Placement.Decision decision =
                backfill.decide(
                        workers ->
                                configuration.isOpen() ? run.length() : runtimes.on(workers, run),
                        obtainable(configuration),
                        mayBeTaken -> placement(run, mayBeTaken, speeds));
        return switch (decision) {
            case Placement.Decision.Wait(WaitReason reason) when isEndless(reason) ->
                    waits(run, reason, List.of());
            case Placement.Decision.Wait wait -> waits(run, wait.reason());
            case Placement.Decision.Busy busy -> waitsForBusy(run, busy);
            case Placement.Decision.Profile unknown -> waitsForProfiles(run, unknown);
            case Placement.Decision.ProfileLinks unknown -> waitsForLinks(run, unknown);
            case Placement.Decision.Place place when configuration.isOpen() ->
                    new RunDecision.Choose(run, allowed(run, place.workers()));
            case Placement.Decision.Place place -> starts(run, speeds.apply(place.workers()));
        };
    }

    /** Whether the run waits for something other than workers that become free. */
    private static boolean isEndless(WaitReason reason) {
        return reason.code().equals(Feasibility.UNSATISFIABLE)
                || reason.code().equals(Placement.UNREACHABLE);
    }

    private Placement.Decision placement(
            QueuedRun run,
            Predicate<WorkerId> mayBeTaken,
            Function<List<LabWorker>, MeasuredSpeeds> speeds) {
        RunConfiguration configuration = run.configuration();
        Predicate<LabWorker> isFree =
                worker -> free.contains(worker.id()) && mayBeTaken.test(worker.id());
        Predicate<LabWorker> isBeingProfiled = worker -> beingProfiled.contains(worker.id());
        return configuration.isOpen()
                ? Placement.decideOpen(
                        configuration,
                        lab.live(),
                        isFree,
                        idle -> measured.speeds().missing(idle, kernel(configuration)),
                        isBeingProfiled)
                : Placement.decide(
                        configuration,
                        new Placement.Wanted(
                                Feasibility.minimumWorkers(run, now()),
                                Math.min(
                                        configuration.workersWanted(),
                                        lab.quotas().remainingWorkers(run))),
                        lab.live(),
                        isFree,
                        workers -> speeds.apply(workers).missing(),
                        isBeingProfiled,
                        workers -> measured.areLinksKnown(configuration, workers));
    }

    /** Looks up the speeds of a run on its workers once for all questions about them. */
    private Function<List<LabWorker>, MeasuredSpeeds> cachedSpeeds(RunConfiguration configuration) {
        Map<List<WorkerId>, MeasuredSpeeds> known = new HashMap<>();
        return workers -> known.computeIfAbsent(ids(workers), _ -> speeds(configuration, workers));
    }

    private static Kernel.TrainingStep kernel(RunConfiguration configuration) {
        return new Kernel.TrainingStep(configuration.architecture().name());
    }

    private List<LabWorker> allowed(QueuedRun run, List<LabWorker> idle) {
        return idle.stream().limit(lab.quotas().remainingWorkers(run)).toList();
    }

    private RunDecision starts(QueuedRun run, MeasuredSpeeds speeds) {
        RunConfiguration configuration = run.configuration();
        List<LabWorker> workers = speeds.workers();
        take(run, ids(workers));
        List<MeasuredLink> costs =
                configuration.followsLinks() ? measured.costs(workers).orElseThrow() : List.of();
        List<MeasuredAllReduce> allReduces =
                configuration.partitioning() instanceof Partitioning.Hybrid
                        ? measured.allReduces(configuration, workers)
                        : List.of();
        return new RunDecision.Start(run, speeds, costs, allReduces);
    }

    /** The measured speeds of the ranks of a configuration on its workers. */
    MeasuredSpeeds speeds(RunConfiguration configuration, List<LabWorker> workers) {
        return new MeasuredSpeeds(configuration, workers, measured.speeds());
    }

    /** Takes the workers of a run that starts. */
    void take(QueuedRun run, List<WorkerId> workers) {
        workers.forEach(free::remove);
        claimed.addAll(workers);
        lab.quotas().take(run, workers.size());
        backfill.take(workers, run.lengthOn(workers.size()));
    }

    /** Reserves workers for a measurement that a run needs: later runs do not get them. */
    private void takeForMeasurement(List<LabWorker> workers) {
        ids(workers).forEach(free::remove);
        backfill.take(ids(workers), CompletionEstimate.MEASUREMENT_DURATION);
    }

    /**
     * Decides on a run of which no configuration fits the idle workers: it waits for busy workers
     * if there are any eligible, and fails if there are none.
     */
    RunDecision noneFits(QueuedRun run, int idle) {
        List<LabWorker> all = obtainable(run.configuration());
        if (all.size() > idle) {
            isHeadFound = true;
            backfill.reserve(all, all.size());
            return waits(
                    run,
                    new WaitReason(
                            Placement.BUSY,
                            "no allowed configuration fits the %d idle of %d eligible workers"
                                    .formatted(idle, all.size())));
        }
        return new RunDecision.GiveUp(run, nothingFits(idle));
    }

    private static RunFailure nothingFits(int workers) {
        return new RunFailure(
                FailureCause.USER,
                "nothing-fits",
                "no allowed configuration fits the %d available workers".formatted(workers));
    }

    private RunDecision waitsForProfiles(QueuedRun run, Placement.Decision.Profile unknown) {
        List<ProfileGap> gaps = unknown.profileGaps();
        Optional<RunFailure> failing =
                measured.profileFailure(run, gaps, kernel(run.configuration()));
        if (failing.isPresent()) {
            return new RunDecision.GiveUp(run, failing.get());
        }
        Architecture network = run.configuration().architecture();
        gaps.forEach(it -> {
            missingProfiles.add(new MissingProfiles(it.parts(), network));
            takeForMeasurement(it.company());
        });
        return waits(run, unknown.reason());
    }

    private RunDecision waitsForLinks(QueuedRun run, Placement.Decision.ProfileLinks unknown) {
        Set<WorkerId> workers = Set.copyOf(ids(unknown.workers()));
        Optional<RunFailure> failing = measured.linkFailure(run, workers);
        if (failing.isPresent()) {
            return new RunDecision.GiveUp(run, failing.get());
        }
        missingLinks.add(workers);
        takeForMeasurement(unknown.workers());
        return waits(run, unknown.reason());
    }

    /** Whether a measurement under way covers enough eligible workers for the run. */
    private boolean areLinksBeingMeasured(RunConfiguration configuration) {
        if (!configuration.wantsLinks()) {
            return false;
        }
        Set<WorkerId> matching =
                lab.live().stream()
                        .filter(worker -> Feasibility.suits(configuration, worker))
                        .map(LabWorker::id)
                        .collect(Collectors.toSet());
        return linksUnderWay.stream()
                .anyMatch(it ->
                        it.workers().size() >= configuration.workersWanted()
                                && matching.containsAll(it.workers()));
    }

    /** The first blocked run gets a reservation and may preempt others. */
    private RunDecision waitsForBusy(QueuedRun run, Placement.Decision.Busy busy) {
        if (isHeadFound) {
            return waits(run, busy.reason());
        }
        isHeadFound = true;
        PreemptionPolicy.Blocked head = head(run, busy.wanted());
        blocked = head;
        return waits(
                run,
                lab.preemptionObstacle().apply(head).map(busy.reason()::and).orElse(busy.reason()));
    }

    private PreemptionPolicy.Blocked head(QueuedRun run, int wanted) {
        return head(run, obtainable(run.configuration()), free, wanted);
    }

    static PreemptionPolicy.Blocked head(
            QueuedRun run, List<LabWorker> obtainable, Set<WorkerId> free, int wanted) {
        Set<WorkerId> ids = Set.copyOf(ids(obtainable));
        return new PreemptionPolicy.Blocked(
                run, ids, ids.stream().filter(free::contains).collect(Collectors.toSet()), wanted);
    }

    private RunDecision waits(QueuedRun run, WaitReason reason) {
        return waits(run, reason, obtainable(run.configuration()));
    }

    /** The eligible workers without those that other ranks of the run could not reach. */
    private List<LabWorker> obtainable(RunConfiguration configuration) {
        return obtainable(configuration, eligible.of(configuration), lab.live());
    }

    static List<LabWorker> obtainable(
            RunConfiguration configuration, List<LabWorker> eligible, List<LabWorker> live) {
        return configuration.isOnOneWorker() ? eligible : Workers.reachable(eligible, live);
    }

    /**
     * Records why a run waits.
     *
     * @param available the workers that it may get; empty if a quota blocks it, or no worker that
     *     becomes free would let it start
     */
    private RunDecision waits(QueuedRun run, WaitReason reason, List<LabWorker> available) {
        entries.add(
                new StartTimePredictor.Entry(
                        run.id(), available, Feasibility.minimumWorkers(run, now()), run.length()));
        PreviousStop previousStop = run.previousStop();
        WaitReason explained = previousStop == null ? reason : previousStop.explaining(reason);
        if (!explained.equals(run.waiting())) {
            waitReasons.computeIfAbsent(explained, _ -> new ArrayList<>()).add(run.id());
        }
        return new RunDecision.Wait(run);
    }

    private static List<WorkerId> ids(List<LabWorker> workers) {
        return workers.stream().map(LabWorker::id).toList();
    }
}
