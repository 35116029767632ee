package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.RunFailure;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.telemetry.RunTraces;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.WorkerId;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Hands a worker what it is to do. */
@Component
class Leases {

    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    /** A worker that still says nothing takes what it gets for something else, or breaks on it. */
    private static final int MOST_LEASES = 3;

    private final Assignments assignments;
    private final RunLifecycle runs;
    private final Profiles profiles;
    private final Links links;
    private final RunTraces traces;

    Leases(
            Assignments assignments,
            RunLifecycle runs,
            Profiles profiles,
            Links links,
            RunTraces traces) {
        this.assignments = assignments;
        this.runs = runs;
        this.profiles = profiles;
        this.links = links;
        this.traces = traces;
    }

    /** The worker asks for work: what was taken from it, it has left off by now. */
    void ask(WorkerId worker) {
        assignments.rest(worker);
    }

    /**
     * The worker's open assignment, also one that it has but never spoke of, as the answer may have
     * been lost. A worker that spoke of one and asks for more has lost it: that part ends, as does
     * one that was handed out often enough.
     */
    @Transactional
    Optional<Assignment> claim(WorkerId worker) {
        Optional<WorkerAssignment> open = assignments.openOf(worker);
        Optional<String> lost = open.flatMap(Leases::loss);
        if (lost.isPresent()) {
            abandon(open.get(), lost.get());
            return Optional.empty();
        }
        return open.map(this::lease);
    }

    private static Optional<String> loss(WorkerAssignment assignment) {
        if (assignment.wasSpokenOf()) {
            return Optional.of("has lost its part and asks for other work");
        }
        return assignment.leases() >= MOST_LEASES
                ? Optional.of(
                        "was handed its part %d times and never spoke of it".formatted(MOST_LEASES))
                : Optional.empty();
    }

    private void abandon(WorkerAssignment assignment, String how) {
        switch (assignment.subject()) {
            case WorkerAssignment.Subject.OfRun part -> {
                // Its run may go on without it for a while.
                assignments.revoke(assignment);
                runs.lose(
                        part.run(),
                        part.rank(),
                        new RunFailure(
                                FailureCause.WORKER,
                                "assignment-lost",
                                "rank %d %s".formatted(part.rank(), how)));
                assignments.rest(assignment.worker());
            }
            case WorkerAssignment.Subject.OfProfile part -> {
                profiles.fail(part.profile(), "the worker " + how);
                assignments.rest(assignment.worker());
            }
            case WorkerAssignment.Subject.OfLinks part -> {
                links.fail(part.measurement(), "rank %d %s".formatted(part.rank(), how));
                assignments.rest(assignment.worker());
            }
        }
    }

    private Assignment lease(WorkerAssignment assignment) {
        boolean first = assignment.lease();
        log.info("assignment leased: {} by {}", assignment.id(), assignment.worker());
        return switch (assignment.subject()) {
            case WorkerAssignment.Subject.OfProfile part -> {
                if (first) {
                    profiles.begin(part.profile());
                }
                Profiles.Dispatch dispatch = profiles.dispatch(part.profile());
                yield new Assignment.Profiling(
                        assignment.id(),
                        assignment.generation(),
                        dispatch.session(),
                        dispatch.rank(),
                        dispatch.peers(),
                        part.key(),
                        dispatch.network(),
                        dispatch.measurements(),
                        dispatch.precision(),
                        dispatch.slowDown());
            }
            case WorkerAssignment.Subject.OfLinks part ->
                    new Assignment.LinkProfiling(
                            assignment.id(),
                            assignment.generation(),
                            part.measurement(),
                            part.rank(),
                            links.workers(part.measurement()),
                            part.key());
            case WorkerAssignment.Subject.OfRun part -> {
                RunLifecycle.Dispatch dispatch = runs.dispatch(part.run());
                yield !(dispatch.plan().execution() instanceof Execution.Real)
                        ? new Assignment.Simulation(
                                assignment.id(),
                                assignment.generation(),
                                part.run(),
                                dispatch.plan(),
                                traces.parent(part.run()))
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
                                traces.parent(part.run()));
            }
        };
    }
}
