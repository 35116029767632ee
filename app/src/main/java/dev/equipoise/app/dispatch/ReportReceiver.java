package dev.equipoise.app.dispatch;

import dev.equipoise.app.measurement.Measurements;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.Reports;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes the reports of agents: each event once, in order, and only for a leased assignment of the
 * current generation (fencing).
 */
@Component
class ReportReceiver {

    private static final Logger log = LoggerFactory.getLogger(ReportReceiver.class);

    private final Assignments assignments;
    private final Reports runs;
    private final Measurements measurements;
    private final Workers workers;

    ReportReceiver(
            Assignments assignments, Reports runs, Measurements measurements, Workers workers) {
        this.assignments = assignments;
        this.runs = runs;
        this.measurements = measurements;
        this.workers = workers;
    }

    /**
     * Takes the events that follow the last taken one. Events of unknown kinds count as taken.
     *
     * @return requests to the worker
     * @throws Problem {@code not-found} for another worker's assignment, {@code stale-generation}
     *     if the assignment has ended or its work was placed again, {@code invalid-request} if
     *     events are missing before the first, or a figure is impossible
     */
    @Transactional
    ReportReply take(WorkerId worker, AssignmentId id, Report report) {
        ReportedFigures.check(report);
        WorkerAssignment assignment = assignments.lock(id, worker);
        if (report.generation() != assignment.generation()) {
            throw stale(report, assignment);
        }
        long known = assignment.lastSequence();
        if (report.firstSequence() > known + 1) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "event %d is expected next, but the report starts with %d"
                            .formatted(known + 1, report.firstSequence()));
        }
        int seen = (int) Math.min(report.events().size(), known + 1 - report.firstSequence());
        List<AgentEvent> events = report.events().subList(seen, report.events().size());
        for (int i = 0; i < events.size(); i++) {
            take(assignment, events.get(i), report, seen + i);
        }
        noteUnknown(assignment, events);
        return assignment.isOpen()
                        && assignment.subject() instanceof WorkerAssignment.Subject.OfRun part
                ? runs.requests(part.run())
                : ReportReply.NONE;
    }

    private void take(WorkerAssignment assignment, AgentEvent event, Report report, int position) {
        if (assignment.state() != AssignmentState.LEASED) {
            throw stale(report, assignment);
        }
        assignment.advance(assignment.lastSequence() + 1);
        if (event instanceof AgentEvent.Unknown) {
            return;
        }
        if (event instanceof Outcome outcome) {
            assignments.finish(assignment, outcome);
        }
        try {
            deliver(assignment, measured(assignment, event));
        } catch (Problem impossible) {
            throw impossible.under("/events/" + position);
        }
    }

    /**
     * Returns an event without a figure that its agent has assumed: agents before protocol 0.2
     * report a distance of 0 between replicas that should be equal, and do not compare them.
     */
    private AgentEvent measured(WorkerAssignment assignment, AgentEvent event) {
        return event instanceof EpochFinished finished
                        && finished.distance() != null
                        && finished.distance().absolute() == 0
                        && workers.find(assignment.worker())
                                .protocolVersion()
                                .isOlderThan(ProtocolVersion.COMPARISONS_AND_MODELS)
                ? finished.withDistance(null)
                : event;
    }

    /** Passes an event to the run or the measurement of its assignment. */
    private void deliver(WorkerAssignment assignment, AgentEvent event) {
        switch (assignment.subject()) {
            case WorkerAssignment.Subject.OfRun part ->
                    runs.record(
                            part.run(),
                            part.rank(),
                            Problem.requireKind(RunReport.class, event, "a run"));
            case WorkerAssignment.Subject.OfMeasurement part ->
                    measurements.record(part.task(), event);
        }
    }

    /** Logs events of unknown kinds, which newer agents send; the events after them count. */
    private static void noteUnknown(WorkerAssignment assignment, List<AgentEvent> events) {
        List<String> kinds =
                events.stream()
                        .filter(AgentEvent.Unknown.class::isInstance)
                        .map(it -> ((AgentEvent.Unknown) it).type())
                        .toList();
        if (!kinds.isEmpty()) {
            log.info(
                    "events of unknown kinds ignored: {} of {}, {}",
                    kinds.size(),
                    assignment.id(),
                    Set.copyOf(kinds));
        }
    }

    /** The rank of a run that an assignment executes, in its generation. */
    record AssignedRank(RunId run, int rank, int generation) {}

    /**
     * The rank of a leased assignment.
     *
     * @throws Problem {@code not-found} for another worker's assignment, or if it belongs to no
     *     run; {@code stale-generation} if it is not leased
     */
    @Transactional(readOnly = true)
    AssignedRank openRank(WorkerId worker, AssignmentId id) {
        WorkerAssignment assignment = assignments.find(id, worker);
        if (!(assignment.subject()
                instanceof WorkerAssignment.Subject.OfRun(RunId run, int rank, var _))) {
            throw Problem.notFound("assignment", id);
        }
        if (assignment.state() != AssignmentState.LEASED) {
            throw Problem.of(
                    ErrorCode.STALE_GENERATION,
                    "Assignment %s is %s".formatted(id, assignment.state()));
        }
        return new AssignedRank(run, rank, assignment.generation());
    }

    /**
     * The run of an assignment.
     *
     * @throws Problem {@code not-found} for another worker's assignment, or if it belongs to no run
     */
    @Transactional(readOnly = true)
    RunId run(WorkerId worker, AssignmentId id) {
        return assignments.runOf(id, worker).orElseThrow(() -> Problem.notFound("assignment", id));
    }

    private static Problem stale(Report report, WorkerAssignment assignment) {
        return Problem.of(
                ErrorCode.STALE_GENERATION,
                "Generation %d of assignment %s was reported, but it is %s in generation %d"
                        .formatted(
                                report.generation(),
                                assignment.id(),
                                assignment.state(),
                                assignment.generation()));
    }
}
