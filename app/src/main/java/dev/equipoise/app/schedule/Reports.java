package dev.equipoise.app.schedule;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes the agents' reports: each event once, in order, and only while the assignment is theirs.
 */
@Component
class Reports {

    private static final Logger log = LoggerFactory.getLogger(Reports.class);

    private final Assignments assignments;
    private final RunLifecycle runs;
    private final Profiles profiles;
    private final Links links;

    Reports(Assignments assignments, RunLifecycle runs, Profiles profiles, Links links) {
        this.assignments = assignments;
        this.runs = runs;
        this.profiles = profiles;
        this.links = links;
    }

    /**
     * Takes what the assignment's record does not hold yet; what is of a kind that is not known
     * here counts as taken.
     *
     * @return what is wished of the worker
     * @throws Problem {@code not-found} for another worker's assignment, {@code stale-generation}
     *     where the work was placed anew or is over, {@code invalid-request} where events are
     *     missing before the first
     */
    @Transactional
    ReportReply take(WorkerId worker, AssignmentId id, Report report) {
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
        events.forEach(event -> take(assignment, event, report));
        noteUnknown(assignment, events);
        return assignment.isOpen()
                        && assignment.subject() instanceof WorkerAssignment.Subject.OfRun part
                ? runs.wish(part.run())
                : ReportReply.NONE;
    }

    private void take(WorkerAssignment assignment, AgentEvent event, Report report) {
        if (assignment.state() != AssignmentState.LEASED) {
            throw stale(report, assignment);
        }
        assignment.advance(assignment.lastSequence() + 1);
        if (event instanceof AgentEvent.Unknown) {
            return;
        }
        if (event.isLast()) {
            assignments.finish(assignment, event);
        }
        switch (assignment.subject()) {
            case WorkerAssignment.Subject.OfRun part -> runs.record(part.run(), part.rank(), event);
            case WorkerAssignment.Subject.OfProfile part -> profiles.record(part.profile(), event);
            case WorkerAssignment.Subject.OfLinks part ->
                    links.record(part.measurement(), part.rank(), event);
        }
    }

    /** A newer agent says more than is understood here, and what it says after that counts. */
    private static void noteUnknown(WorkerAssignment assignment, List<AgentEvent> events) {
        List<String> kinds =
                events.stream()
                        .filter(AgentEvent.Unknown.class::isInstance)
                        .map(it -> ((AgentEvent.Unknown) it).type())
                        .toList();
        if (!kinds.isEmpty()) {
            log.info(
                    "events of unknown kinds passed over: {} of {}, {}",
                    kinds.size(),
                    assignment.id(),
                    Set.copyOf(kinds));
        }
    }

    /** What an assignment is a part of. */
    record Part(RunId run, int rank) {}

    /**
     * The part of a run that the assignment is, whose worker is at it.
     *
     * @throws Problem {@code not-found} for another worker's assignment, and where it is of no run;
     *     {@code stale-generation} where it is over
     */
    @Transactional(readOnly = true)
    Part openPart(WorkerId worker, AssignmentId id) {
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
        return new Part(run, rank);
    }

    /**
     * The run that the assignment is a part of.
     *
     * @throws Problem {@code not-found} for another worker's assignment, and where it is of no run
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
