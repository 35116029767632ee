package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Precision;
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

    private final Assignments assignments;
    private final RunLifecycle runs;
    private final Profiles profiles;

    Leases(Assignments assignments, RunLifecycle runs, Profiles profiles) {
        this.assignments = assignments;
        this.runs = runs;
        this.profiles = profiles;
    }

    /** The worker's open assignment, also one that it has, as the answer may have been lost. */
    @Transactional
    Optional<Assignment> claim(WorkerId worker) {
        return assignments.openOf(worker).map(this::lease);
    }

    private Assignment lease(WorkerAssignment assignment) {
        boolean first = assignment.lease();
        log.info("assignment leased: {} by {}", assignment.id(), assignment.worker());
        return switch (assignment.subject()) {
            case WorkerAssignment.Subject.OfProfile part -> {
                if (first) {
                    profiles.begin(part.profile());
                }
                yield new Assignment.Profiling(
                        assignment.id(),
                        assignment.generation(),
                        profiles.measurements(part.profile()),
                        Precision.DEFAULT);
            }
            case WorkerAssignment.Subject.OfRun part -> {
                RunLifecycle.Dispatch dispatch = runs.dispatch(part.run());
                yield new Assignment.Training(
                        assignment.id(),
                        assignment.generation(),
                        part.run(),
                        part.rank(),
                        dispatch.peers(),
                        part.key(),
                        dispatch.plan());
            }
        };
    }
}
