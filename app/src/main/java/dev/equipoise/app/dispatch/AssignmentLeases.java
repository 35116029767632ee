package dev.equipoise.app.dispatch;

import dev.equipoise.app.measurement.Measurements;
import dev.equipoise.app.observability.RunTraces;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.run.Dispatches;
import dev.equipoise.app.run.Placements;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.WorkerId;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Hands offered assignments to the workers that ask for work. */
@Component
class AssignmentLeases {

    private static final Logger log = LoggerFactory.getLogger(AssignmentLeases.class);

    /** Limit of the leases of an assignment without a report: its worker cannot read it. */
    private static final int MAX_LEASES = 3;

    private static final String LOST = "assignment-lost";
    private static final String TOO_OLD = "agent-too-old";

    private final Assignments assignments;
    private final Placements runs;
    private final Dispatches dispatches;
    private final Measurements measurements;
    private final Workers workers;
    private final RunTraces traces;

    AssignmentLeases(
            Assignments assignments,
            Placements runs,
            Dispatches dispatches,
            Measurements measurements,
            Workers workers,
            RunTraces traces) {
        this.assignments = assignments;
        this.runs = runs;
        this.dispatches = dispatches;
        this.measurements = measurements;
        this.workers = workers;
        this.traces = traces;
    }

    /**
     * Why a worker does not do its assignment.
     *
     * @param code of the failure of its rank
     * @param how what the worker did or is, without a subject
     */
    private record Loss(String code, String how) {}

    /** Makes a worker idle that asks for work: it has stopped its revoked assignments. */
    void releaseUnassigned(WorkerId worker) {
        assignments.releaseUnassigned(worker);
    }

    /**
     * Leases the worker's open assignment. An assignment without a report is leased again, as the
     * reply may have been lost, at most {@link #MAX_LEASES} times. A worker that has reported on
     * its assignment and asks for more has lost it: the assignment ends. So it does if the worker's
     * agent would train something else than the run.
     */
    @Transactional
    Optional<Assignment> claim(WorkerId worker) {
        Optional<WorkerAssignment> open = assignments.openOf(worker);
        Optional<Loss> lost = open.flatMap(this::loss);
        if (lost.isPresent()) {
            abandon(open.get(), lost.get());
            return Optional.empty();
        }
        return open.map(this::lease);
    }

    /**
     * Leases the worker's open assignment to a request that has waited. Meanwhile another process
     * of the agent may have leased it and reported on it, so that such an assignment is not lost,
     * and this request gets none.
     */
    @Transactional
    Optional<Assignment> claimAgain(WorkerId worker) {
        Optional<WorkerAssignment> open = assignments.openOf(worker).filter(it -> !it.hasReports());
        Optional<Loss> tooOld = open.flatMap(this::ignoredModel);
        if (tooOld.isPresent()) {
            abandon(open.get(), tooOld.get());
            return Optional.empty();
        }
        return open.map(this::lease);
    }

    private Optional<Loss> loss(WorkerAssignment assignment) {
        if (assignment.hasReports()) {
            return Optional.of(new Loss(LOST, "has lost its assignment and asks for new work"));
        }
        if (assignment.leases() >= MAX_LEASES) {
            return Optional.of(
                    new Loss(
                            LOST,
                            "leased its assignment %d times and never reported on it"
                                    .formatted(MAX_LEASES)));
        }
        return ignoredModel(assignment);
    }

    private Optional<Loss> ignoredModel(WorkerAssignment assignment) {
        return ignoresModel(assignment)
                ? Optional.of(
                        new Loss(
                                TOO_OLD,
                                "has an agent of an earlier version, which cannot begin with the"
                                        + " model of a run: install the service's version"))
                : Optional.empty();
    }

    /**
     * Tells whether the worker's agent would begin with random weights instead of the model of a
     * run: it passes over instructions that it does not know.
     */
    private boolean ignoresModel(WorkerAssignment assignment) {
        return assignment.subject() instanceof WorkerAssignment.Subject.OfRun part
                && dispatches.beginsWithModel(part.run())
                && workers.find(assignment.worker())
                        .protocolVersion()
                        .isOlderThan(ProtocolVersion.COMPARISONS_AND_MODELS);
    }

    private void abandon(WorkerAssignment assignment, Loss lost) {
        switch (assignment.subject()) {
            case WorkerAssignment.Subject.OfRun part -> {
                // An elastic run may continue without this rank.
                assignments.revokeLost(assignment);
                lose(part, lost);
            }
            case WorkerAssignment.Subject.OfMeasurement part ->
                    measurements.lose(part.task(), lost.how());
        }
        assignments.releaseUnassigned(assignment.worker());
        if (lost.code().equals(TOO_OLD)) {
            // Its next assignment would end the same way, and others may do this one.
            workers.coolDown(assignment.worker());
        }
    }

    private void lose(WorkerAssignment.Subject.OfRun part, Loss lost) {
        runs.lose(
                part.run(),
                part.rank(),
                new RunFailure(
                        FailureCause.WORKER,
                        lost.code(),
                        "rank %d %s".formatted(part.rank(), lost.how())));
    }

    private Assignment lease(WorkerAssignment assignment) {
        boolean first = assignment.lease();
        log.info("assignment leased: {} by {}", assignment.id(), assignment.worker());
        return switch (assignment.subject()) {
            case WorkerAssignment.Subject.OfMeasurement part -> {
                if (first) {
                    measurements.begin(part.task());
                }
                yield measurements.assignment(
                        part.task(), assignment.id(), assignment.generation(), part.key());
            }
            case WorkerAssignment.Subject.OfRun part -> ofRun(assignment, part);
        };
    }

    private Assignment ofRun(WorkerAssignment assignment, WorkerAssignment.Subject.OfRun part) {
        Dispatches.Dispatch dispatch = dispatches.dispatch(part.run());
        return !(dispatch.plan().execution() instanceof Execution.Real)
                ? new Assignment.Simulation(
                        assignment.id(),
                        assignment.generation(),
                        part.run(),
                        dispatch.plan(),
                        traces.parent(part.run()),
                        dispatch.model())
                : new Assignment.Training(
                        assignment.id(),
                        assignment.generation(),
                        part.run(),
                        part.rank(),
                        dispatch.peers(),
                        part.key(),
                        dispatch.plan(),
                        dispatch.checkpointing(),
                        dispatch.continuation(),
                        traces.parent(part.run()),
                        workers.dataAddresses(dispatch.peers()).orElse(null),
                        workers.namesIfComparing(dispatch.peers()).orElse(null),
                        dispatch.model());
    }
}
