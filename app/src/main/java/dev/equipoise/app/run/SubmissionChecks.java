package dev.equipoise.app.run;

import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.file.DiskGuard;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.queue.FeasibilityCheck;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Checks whether a project may queue runs, and whether they can ever start. */
@Component
class SubmissionChecks {

    private final RunRepository runs;
    private final ExecutionOrders orders;
    private final InitialModels initialModels;
    private final FeasibilityCheck feasibility;
    private final Quotas quotas;
    private final DiskGuard disk;

    SubmissionChecks(
            RunRepository runs,
            ExecutionOrders orders,
            InitialModels initialModels,
            FeasibilityCheck feasibility,
            Quotas quotas,
            DiskGuard disk) {
        this.runs = runs;
        this.orders = orders;
        this.initialModels = initialModels;
        this.feasibility = feasibility;
        this.quotas = quotas;
        this.disk = disk;
    }

    /**
     * Checks that the disk has space for more runs.
     *
     * @throws Problem {@code no-room}
     */
    void requireRoom() {
        disk.requireRoom();
    }

    /**
     * Checks the quota. Concurrent submissions to one project wait for each other while runs are
     * counted.
     *
     * @throws Problem {@code quota-exceeded}
     */
    void requireQuota(UUID project, int more) {
        Integer most = quotas.of(project).queuedRuns();
        if (most != null) {
            requireQueueQuota(project, more, most);
        }
        quotas.requireRoom(project);
    }

    private void requireQueueQuota(UUID project, int more, int most) {
        runs.lockQueueOf(project.toString());
        long waiting = runs.countByProjectIdAndState(project, RunState.QUEUED);
        if (waiting + more > most) {
            throw Problem.of(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The project may have %d queued runs, but has %d, and %d more were submitted"
                            .formatted(most, waiting, more));
        }
    }

    /** Takes a snapshot of the lab for any number of runs of a project. */
    FeasibilityCheck.Outlook outlook(UUID project) {
        return feasibility.of(project);
    }

    /**
     * Returns a configuration with the digest of the model with which its run begins, if it names
     * one.
     *
     * @throws Problem {@code invalid-definition} if it cannot begin with that model
     */
    RunConfiguration resolve(RunConfiguration configuration, UUID project) {
        return initialModels.resolve(configuration, project);
    }

    /**
     * Checks that a run can start once the right workers have joined.
     *
     * @throws Problem {@code invalid-definition} if it cannot
     */
    void requireFeasible(
            FeasibilityCheck.Outlook outlook, RunConfiguration configuration, UUID project) {
        orders.requireRepeatable(configuration, project);
        List<Violation> violations = outlook.never(configuration);
        if (!violations.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_DEFINITION, violations);
        }
    }
}
