package dev.equipoise.app.measurement;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/** Stores link measurements with their results: costs of links and all-reduce times. */
@Component
class LinkSessions implements SessionStore {

    private static final Logger log = LoggerFactory.getLogger(LinkSessions.class);

    private final LinkMeasurementRepository measurements;
    private final LinkRepository links;
    private final AllReduceRepository allReduces;
    private final Sessions sessions;
    private final Workers workers;
    private final Clock clock;

    LinkSessions(
            LinkMeasurementRepository measurements,
            LinkRepository links,
            AllReduceRepository allReduces,
            Sessions sessions,
            Workers workers,
            Clock clock) {
        this.measurements = measurements;
        this.links = links;
        this.allReduces = allReduces;
        this.sessions = sessions;
        this.workers = workers;
        this.clock = clock;
    }

    /**
     * Returns the unfinished measurement of exactly these workers, or else opens one. Needs locked
     * workers, so that the second of two concurrent requests finds the first.
     */
    LinkMeasurement openOrExisting(Set<WorkerId> wanted) {
        return measurements
                .findByWorkersAndStateInOrderByRequestedAtDesc(
                        LinkMeasurement.text(wanted), MeasurementState.UNFINISHED, Limit.of(1))
                .stream()
                .findFirst()
                .orElseGet(() -> measurements.save(new LinkMeasurement(wanted, clock.instant())));
    }

    LinkMeasurement load(UUID id) {
        return measurements.findById(id).orElseThrow(() -> notFound(id));
    }

    private LinkMeasurement lockMeasurement(UUID id) {
        return measurements.findForUpdate(id).orElseThrow(() -> notFound(id));
    }

    private static Problem notFound(UUID id) {
        return Problem.notFound("link measurement", id);
    }

    @Override
    public List<OpenSession> open() {
        return measurements.findByStateInOrderByRequestedAt(MeasurementState.UNFINISHED).stream()
                .map(it ->
                        new OpenSession(
                                MeasurementKind.LINKS,
                                it.id(),
                                it.workers(),
                                it.state() == MeasurementState.PENDING))
                .toList();
    }

    @Override
    public Session lock(UUID session) {
        return new Session(List.of(lockMeasurement(session)));
    }

    @Override
    public Session lockOf(UUID part) {
        return lock(part);
    }

    /** Begins the measurement at once: all workers connect before any of them reports. */
    @Override
    public SequencedMap<WorkerId, MeasurementTask> claim(Session session) {
        LinkMeasurement measurement = (LinkMeasurement) session.parts().getFirst();
        measurement.begin();
        SequencedMap<WorkerId, MeasurementTask> tasks = new LinkedHashMap<>();
        for (WorkerId worker : measurement.workers()) {
            tasks.put(
                    worker,
                    new MeasurementTask(MeasurementKind.LINKS, measurement.id(), tasks.size()));
        }
        return tasks;
    }

    /** Has no effect: {@link #claim} has begun the measurement. */
    @Override
    public void begin(MeasurementTask task) {}

    @Override
    public Assignment assignment(
            MeasurementTask task, AssignmentId id, int generation, String key) {
        List<WorkerId> peers = load(task.id()).workers();
        return new Assignment.LinkProfiling(
                id,
                generation,
                task.id(),
                task.rank(),
                peers,
                key,
                workers.dataAddresses(peers).orElse(null));
    }

    @Override
    public void record(MeasurementTask task, AgentEvent event) {
        LinkMeasurement measurement = lockMeasurement(task.id());
        int rank = task.rank();
        if (measurement.isOver()) {
            return;
        }
        String subject = "rank %d of a link measurement".formatted(rank);
        switch (Problem.requireKind(LinkReport.class, event, subject)) {
            case LinkReport.LinkMeasured measured ->
                    keep(measurement, requireFirst(rank, measured).link());
            case LinkReport.AllReduceMeasured measured ->
                    keep(measurement, requireFirst(rank, measured).allReduce());
            case Outcome.Finished _ -> finishRank(measurement);
            case Outcome.Failed failed ->
                    fail(
                            measurement,
                            "rank %d: %s: %s".formatted(rank, failed.code(), failed.message()));
        }
    }

    /** Requires that an event comes from rank 0, which measures for all ranks. */
    private static <E extends LinkReport> E requireFirst(int rank, E event) {
        if (rank != 0) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "%s must come from rank 0, but comes from rank %d".formatted(event, rank));
        }
        return event;
    }

    private void keep(LinkMeasurement measurement, MeasuredLink link) {
        List<WorkerId> ranks = measurement.workers();
        if (link.high() >= ranks.size()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d is out of range: the measurement has %d ranks"
                            .formatted(link.high(), ranks.size()));
        }
        var figure =
                new LinkFigure(
                        measurement.id(),
                        ranks.get(link.low()),
                        ranks.get(link.high()),
                        link,
                        clock.instant());
        // The primary key rejects duplicates as well, but as a conflict, which agents retry.
        if (links.existsById(figure.getId())) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "the link between ranks %d and %d was already reported"
                            .formatted(link.low(), link.high()));
        }
        links.save(figure);
    }

    private void keep(LinkMeasurement measurement, MeasuredAllReduce allReduce) {
        int ranks = measurement.workers().size();
        if (allReduce.ranks() > ranks) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "an all-reduce over %d ranks is out of range: the measurement has %d ranks"
                            .formatted(allReduce.ranks(), ranks));
        }
        var time = new AllReduceTime(measurement.id(), allReduce);
        if (allReduces.existsById(time.getId())) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST, "%s was already reported".formatted(allReduce));
        }
        allReduces.save(time);
    }

    /** Ends a measurement with its last rank, so that a run finds all its workers idle at once. */
    private void finishRank(LinkMeasurement measurement) {
        if (measurement.finishRank()) {
            finish(measurement);
        }
    }

    /** Completes a measurement if rank 0 reported everything, else fails it. */
    private void finish(LinkMeasurement measurement) {
        long reported = links.countByKeyMeasurementId(measurement.id());
        if (reported < measurement.links()) {
            fail(
                    measurement,
                    "rank 0 reported %d of %d links".formatted(reported, measurement.links()));
        } else if (!allReduces.existsByKeyMeasurementId(measurement.id())) {
            fail(measurement, "rank 0 reported no all-reduces");
        } else {
            measurement.complete(clock.instant());
            log.info("link measurement completed: {}", measurement.id());
        }
    }

    private void fail(LinkMeasurement measurement, String reason) {
        sessions.fail(new Session(List.of(measurement)), measurement, reason);
    }

    @Override
    public String lossOf(MeasurementTask task, String how) {
        return "rank %d %s".formatted(task.rank(), how);
    }
}
