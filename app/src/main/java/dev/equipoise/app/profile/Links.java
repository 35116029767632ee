package dev.equipoise.app.profile;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.page.Newest;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerCordoned;
import dev.equipoise.app.worker.WorkerGone;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What the links between the workers cost, and sums over them. */
@Service
public class Links {

    private static final Logger log = LoggerFactory.getLogger(Links.class);
    private static final Set<ProfileState> UNDER_WAY =
            EnumSet.of(ProfileState.PENDING, ProfileState.MEASURING);
    private static final Set<ProfileState> OVER =
            EnumSet.of(ProfileState.COMPLETE, ProfileState.FAILED);

    private final LinkMeasurementRepository measurements;
    private final LinkRepository links;
    private final AllReduceRepository allReduces;
    private final Workers workers;
    private final Audit audit;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Links(
            LinkMeasurementRepository measurements,
            LinkRepository links,
            AllReduceRepository allReduces,
            Workers workers,
            Audit audit,
            ApplicationEventPublisher events,
            Clock clock) {
        this.measurements = measurements;
        this.links = links;
        this.allReduces = allReduces;
        this.workers = workers;
        this.audit = audit;
        this.events = events;
        this.clock = clock;
    }

    /**
     * A measurement that is not over.
     *
     * @param workers in the order of their ranks
     */
    public record UnderWay(UUID id, List<WorkerId> workers, ProfileState state) {}

    /**
     * The measurement of the links between just these workers that is on its way, or else a new
     * one.
     *
     * @throws Problem {@code not-found} for an unknown worker, {@code illegal-state} for one that
     *     is gone or about to go
     */
    @Transactional
    LinkMeasurementView request(Caller.User caller, Set<WorkerId> wanted) {
        for (LabWorker worker : held(wanted)) {
            if (!worker.takesWork()) {
                throw Problem.of(
                        ErrorCode.ILLEGAL_STATE,
                        "Worker %s is %s and cannot measure links"
                                .formatted(worker.id(), worker.standing()));
            }
        }
        LinkMeasurement measurement = underWayOrNew(wanted);
        audit.note(
                caller, Change.of("links-requested", "link-measurement", measurement.view().id()));
        return measurement.view();
    }

    /** Asks for the links between these workers, unless one of them is gone or about to go. */
    @Transactional
    public void require(Set<WorkerId> wanted) {
        if (held(wanted).stream().allMatch(LabWorker::takesWork)) {
            underWayOrNew(wanted);
        }
    }

    /**
     * The newest figures of all links between the workers.
     *
     * @param ranks the workers in the order of their ranks
     * @return empty unless every link was measured
     */
    @Transactional(readOnly = true)
    public Optional<List<MeasuredLink>> between(List<WorkerId> ranks) {
        List<MeasuredLink> known = among(ranks);
        return known.size() == ranks.size() * (ranks.size() - 1) / 2
                ? Optional.of(known)
                : Optional.empty();
    }

    /**
     * The newest figures of those links between the workers that were measured.
     *
     * @param ranks the workers in the order of their ranks
     */
    @Transactional(readOnly = true)
    public List<MeasuredLink> among(List<WorkerId> ranks) {
        return newest(Set.copyOf(ranks)).stream()
                .map(link ->
                        link.ofRanks(
                                ranks.indexOf(link.between().getFirst()),
                                ranks.indexOf(link.between().getLast())))
                .toList();
    }

    /**
     * What sums over the first of just these workers took when they were last measured.
     *
     * @return empty where they never were
     */
    @Transactional(readOnly = true)
    public List<MeasuredAllReduce> allReduces(Set<WorkerId> wanted, Algorithm algorithm) {
        return measurements
                .findByWorkersAndStateInOrderByRequestedAtDesc(
                        LinkMeasurement.text(wanted),
                        EnumSet.of(ProfileState.COMPLETE),
                        Limit.of(1))
                .stream()
                .flatMap(it ->
                        allReduces
                                .findByKeyMeasurementIdAndKeyAlgorithmOrderByKeyRanksAscKeyNumbersAsc(
                                        it.id(), algorithm)
                                .stream())
                .map(AllReduceTime::measured)
                .toList();
    }

    /** Present where the last measurements of just these workers have all failed. */
    @Transactional(readOnly = true)
    public Optional<Failing> failing(Set<WorkerId> wanted) {
        return Failing.of(
                measurements
                        .findByWorkersAndStateInOrderByRequestedAtDesc(
                                LinkMeasurement.text(wanted), OVER, Limit.of(Failing.TIMES))
                        .stream()
                        .map(it -> new Failing.Past(it.state(), it.requestedAt(), it.failure()))
                        .toList());
    }

    /** All that are not over, oldest first; at most one of each set of workers. */
    @Transactional(readOnly = true)
    public List<UnderWay> underWay() {
        return measurements.findByStateInOrderByRequestedAt(UNDER_WAY).stream()
                .map(it -> new UnderWay(it.id(), it.workers(), it.state()))
                .toList();
    }

    /** The workers in the order of their ranks. */
    @Transactional(readOnly = true)
    public List<WorkerId> workers(UUID id) {
        return load(id).workers();
    }

    /** Keeps others away from the measurement until the transaction ends. */
    @Transactional
    public void hold(UUID id) {
        lock(id);
    }

    /** Begins, unless it is not pending any more. */
    @Transactional
    public boolean begin(UUID id) {
        LinkMeasurement measurement = lock(id);
        if (measurement.state() != ProfileState.PENDING) {
            return false;
        }
        measurement.begin();
        return true;
    }

    /** Takes what a rank says; what it says of a measurement that is over changes nothing. */
    @Transactional
    public void record(UUID id, int rank, AgentEvent event) {
        LinkMeasurement measurement = lock(id);
        if (measurement.state().isTerminal()) {
            return;
        }
        switch (event) {
            case AgentEvent.LinkMeasured measured when rank == 0 ->
                    keep(measurement, measured.link());
            case AgentEvent.AllReduceMeasured measured when rank == 0 ->
                    keep(measurement, measured.allReduce());
            case AgentEvent.Finished _ -> finishRank(measurement);
            case AgentEvent.Failed failed ->
                    end(
                            measurement,
                            "rank %d: %s: %s".formatted(rank, failed.code(), failed.message()));
            case AgentEvent.LinkMeasured _,
                    AgentEvent.AllReduceMeasured _,
                    AgentEvent.PointMeasured _,
                    AgentEvent.ReplicaReady _,
                    AgentEvent.RoundReached _,
                    AgentEvent.Observed _,
                    AgentEvent.EpochFinished _,
                    AgentEvent.Traced _,
                    AgentEvent.Noted _,
                    AgentEvent.Preempted _,
                    AgentEvent.Interrupted _,
                    AgentEvent.Decided _,
                    AgentEvent.Unknown _ ->
                    throw Problem.of(
                            ErrorCode.INVALID_REQUEST,
                            "%s does not belong to rank %d of a measurement of links"
                                    .formatted(event, rank));
        }
    }

    @Transactional
    public void fail(UUID id, String reason) {
        LinkMeasurement measurement = lock(id);
        if (!measurement.state().isTerminal()) {
            end(measurement, reason);
        }
    }

    @EventListener
    @Transactional
    void on(WorkerGone gone) {
        for (UnderWay measurement : underWay()) {
            if (measurement.workers().contains(gone.worker())) {
                fail(measurement.id(), "worker %s %s".formatted(gone.name(), gone.how()));
            }
        }
    }

    /** What it has not begun would keep the others waiting. */
    @EventListener
    @Transactional
    void on(WorkerCordoned cordoned) {
        for (UnderWay measurement : underWay()) {
            if (measurement.state() == ProfileState.PENDING
                    && measurement.workers().contains(cordoned.worker())) {
                fail(measurement.id(), "worker %s was cordoned off".formatted(cordoned.name()));
            }
        }
    }

    /** Gives a measurement up; one that is over stays as it is. */
    @Transactional
    LinkMeasurementView cancel(Caller.User caller, UUID id) {
        audit.note(caller, Change.of("links-cancelled", "link-measurement", id));
        fail(id, "cancelled");
        return load(id).view();
    }

    @Transactional(readOnly = true)
    LinkMeasurementView find(UUID id) {
        return load(id).view();
    }

    @Transactional(readOnly = true)
    List<LinkMeasurementView> list(Newest after, int limit) {
        return measurements.findNewest(after.at(), after.id(), Limit.of(limit)).stream()
                .map(LinkMeasurement::view)
                .toList();
    }

    /** The newest figures of each link that was measured between live workers. */
    @Transactional(readOnly = true)
    List<LinkView> ofLiveWorkers() {
        return newest(workers.live().stream().map(LabWorker::id).toList());
    }

    private List<LinkView> newest(Collection<WorkerId> some) {
        return links.findNewest(some.stream().map(WorkerId::value).toList()).stream()
                .map(Link::view)
                .toList();
    }

    private void keep(LinkMeasurement measurement, MeasuredLink link) {
        List<WorkerId> ranks = measurement.workers();
        if (link.high() >= ranks.size()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d is not among the %d that measure"
                            .formatted(link.high(), ranks.size()));
        }
        var told =
                new Link(
                        measurement.id(),
                        ranks.get(link.low()),
                        ranks.get(link.high()),
                        link,
                        clock.instant());
        // The primary key would refuse it as well, but as a conflict, which is worth another try.
        if (links.existsById(told.getId())) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "the link between ranks %d and %d was told already"
                            .formatted(link.low(), link.high()));
        }
        links.save(told);
    }

    private void keep(LinkMeasurement measurement, MeasuredAllReduce allReduce) {
        int ranks = measurement.workers().size();
        if (allReduce.ranks() > ranks) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "%d ranks are not among the %d that measure"
                            .formatted(allReduce.ranks(), ranks));
        }
        var told = new AllReduceTime(measurement.id(), allReduce);
        if (allReduces.existsById(told.getId())) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, "%s was told already".formatted(allReduce));
        }
        allReduces.save(told);
    }

    /** Over with the last rank, so that a run finds all of its workers idle again at once. */
    private void finishRank(LinkMeasurement measurement) {
        if (!measurement.finishRank()) {
            return;
        }
        long known = links.countByKeyMeasurementId(measurement.id());
        if (known < measurement.links()) {
            end(measurement, "rank 0 told of %d of %d links".formatted(known, measurement.links()));
            return;
        }
        if (!allReduces.existsByKeyMeasurementId(measurement.id())) {
            end(measurement, "rank 0 told of no sums");
            return;
        }
        measurement.complete(clock.instant());
        log.info("links measured: {}", measurement.id());
    }

    private void end(LinkMeasurement measurement, String reason) {
        measurement.fail(reason, clock.instant());
        log.warn("measurement of links failed: {}: {}", measurement.id(), reason);
        events.publishEvent(new LinksFailed(measurement.id()));
    }

    /** Always in the same order, so that no two wait for each other. */
    private List<LabWorker> held(Set<WorkerId> wanted) {
        return wanted.stream()
                .sorted(Comparator.comparing(WorkerId::toString))
                .map(workers::hold)
                .toList();
    }

    /** Of workers that are held, so that of two who ask at once the second finds the first's. */
    private LinkMeasurement underWayOrNew(Set<WorkerId> wanted) {
        return measurements
                .findByWorkersAndStateInOrderByRequestedAtDesc(
                        LinkMeasurement.text(wanted), UNDER_WAY, Limit.of(1))
                .stream()
                .findFirst()
                .orElseGet(() -> measurements.save(new LinkMeasurement(wanted, clock.instant())));
    }

    private LinkMeasurement load(UUID id) {
        return measurements.findById(id).orElseThrow(() -> notFound(id));
    }

    private LinkMeasurement lock(UUID id) {
        return measurements.findForUpdate(id).orElseThrow(() -> notFound(id));
    }

    private static Problem notFound(UUID id) {
        return Problem.notFound("link measurement", id);
    }
}
