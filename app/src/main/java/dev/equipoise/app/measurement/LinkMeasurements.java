package dev.equipoise.app.measurement;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.WorkerId;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Requests, lists and cancels link measurements, and looks up their results. */
@Service
public class LinkMeasurements {

    private static final Set<MeasurementState> OVER =
            EnumSet.of(MeasurementState.COMPLETE, MeasurementState.FAILED);

    private final LinkMeasurementRepository measurements;
    private final LinkRepository links;
    private final AllReduceRepository allReduces;
    private final LinkSessions store;
    private final Sessions sessions;
    private final Workers workers;
    private final Audit audit;

    LinkMeasurements(
            LinkMeasurementRepository measurements,
            LinkRepository links,
            AllReduceRepository allReduces,
            LinkSessions store,
            Sessions sessions,
            Workers workers,
            Audit audit) {
        this.measurements = measurements;
        this.links = links;
        this.allReduces = allReduces;
        this.store = store;
        this.sessions = sessions;
        this.workers = workers;
        this.audit = audit;
    }

    /**
     * Returns the unfinished measurement of exactly these workers, or else requests one.
     *
     * @throws Problem {@code not-found} for an unknown worker, {@code illegal-state} for a worker
     *     that takes no work
     */
    @Transactional
    LinkMeasurementView request(Caller.User caller, Set<WorkerId> wanted) {
        sessions.lockReady(wanted, "cannot measure links");
        LinkMeasurement measurement = store.openOrExisting(wanted);
        audit.note(
                caller, Change.of("links-requested", "link-measurement", measurement.view().id()));
        return measurement.view();
    }

    /** Requests a measurement of these workers, unless one of them takes no work. */
    @Transactional
    public void require(Set<WorkerId> wanted) {
        if (sessions.lock(wanted).stream().allMatch(LabWorker::takesWork)) {
            store.openOrExisting(wanted);
        }
    }

    /**
     * The newest costs of all links between the workers.
     *
     * @param ranks the workers in rank order
     * @return empty unless every link was measured since its workers changed host or address
     */
    @Transactional(readOnly = true)
    public Optional<List<MeasuredLink>> between(List<WorkerId> ranks) {
        List<MeasuredLink> known = among(ranks);
        return known.size() == ranks.size() * (ranks.size() - 1) / 2
                ? Optional.of(known)
                : Optional.empty();
    }

    /**
     * The newest costs of the measured links between the workers.
     *
     * @param ranks the workers in rank order
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
     * The all-reduce times of the newest complete measurement of exactly these workers.
     *
     * @return empty if there is none, or a worker has changed its host or address since
     */
    @Transactional(readOnly = true)
    public List<MeasuredAllReduce> allReduces(Set<WorkerId> wanted, Algorithm algorithm) {
        return measurements
                .findByWorkersAndStateInOrderByRequestedAtDesc(
                        LinkMeasurement.text(wanted),
                        EnumSet.of(MeasurementState.COMPLETE),
                        Limit.of(1))
                .stream()
                .filter(it -> !links.isStale(it.id()))
                .flatMap(it ->
                        allReduces
                                .findByKeyMeasurementIdAndKeyAlgorithmOrderByKeyRanksAscKeyNumbersAsc(
                                        it.id(), algorithm)
                                .stream())
                .map(AllReduceTime::measured)
                .toList();
    }

    /** The failures in a row of the measurements of exactly these workers; empty if too few. */
    @Transactional(readOnly = true)
    public Optional<RepeatedFailures> failing(Set<WorkerId> wanted) {
        return RepeatedFailures.of(
                measurements.findByWorkersAndStateInOrderByRequestedAtDesc(
                        LinkMeasurement.text(wanted), OVER, Limit.of(RepeatedFailures.LIMIT)));
    }

    /** Cancels a measurement; a finished one keeps its state. */
    @Transactional
    LinkMeasurementView cancel(Caller.User caller, UUID id) {
        audit.note(caller, Change.of("links-cancelled", "link-measurement", id));
        sessions.withdraw(store.lock(id), "canceled");
        return store.load(id).view();
    }

    @Transactional(readOnly = true)
    LinkMeasurementView find(UUID id) {
        return store.load(id).view();
    }

    @Transactional(readOnly = true)
    List<LinkMeasurementView> list(NewestFirstKey after, int limit) {
        return measurements.findNewest(after.at(), after.id(), Limit.of(limit)).stream()
                .map(LinkMeasurement::view)
                .toList();
    }

    /** The newest costs of each measured link between live workers. */
    @Transactional(readOnly = true)
    List<LinkView> ofLiveWorkers() {
        return newest(workers.live().stream().map(LabWorker::id).toList());
    }

    private List<LinkView> newest(Collection<WorkerId> some) {
        return links.findNewest(some.stream().map(WorkerId::value).toList()).stream()
                .map(LinkFigure::view)
                .toList();
    }
}
