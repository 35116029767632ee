package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Quota;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.dispatch.Assignments;
import dev.equipoise.app.dispatch.Usage;
import dev.equipoise.app.dispatch.WorkerAllocation;
import dev.equipoise.app.run.RunQueue;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The API that shows the usage of a project beside its quota. */
@Tag(name = "Projects")
@RestController
@RequestMapping("/api/v1/projects/{project}/usage")
class UsageController {

    private static final double SECONDS_A_MINUTE = 60;

    private final Projects projects;
    private final Quotas quotas;
    private final Assignments assignments;
    private final RunQueue queue;
    private final Usage usage;
    private final Clock clock;

    UsageController(
            Projects projects,
            Quotas quotas,
            Assignments assignments,
            RunQueue queue,
            Usage usage,
            Clock clock) {
        this.projects = projects;
        this.quotas = quotas;
        this.assignments = assignments;
        this.queue = queue;
        this.usage = usage;
        this.clock = clock;
    }

    /**
     * The usage of a project.
     *
     * @param quota its limits
     * @param replicasAtOnce number of workers that its runs have now
     * @param queuedRuns number of its queued runs
     * @param workerMinutesAWeek worker-minutes of the last seven days, running allocations included
     * @param storedBytes approximate size of its stored data
     */
    record UsageView(
            Quota quota,
            int replicasAtOnce,
            long queuedRuns,
            double workerMinutesAWeek,
            long storedBytes) {}

    /** Returns the usage of a project beside its quota. */
    @GetMapping
    UsageView getUsage(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID project) {
        projects.require(caller, project);
        Instant now = clock.instant();
        List<WorkerAllocation> held = held(project, now);
        double seconds =
                usage.week(project, Double.POSITIVE_INFINITY).workerSeconds()
                        + held.stream().mapToDouble(it -> it.seconds(now)).sum();
        return new UsageView(
                quotas.of(project),
                held.size(),
                queue.countQueued(project),
                seconds / SECONDS_A_MINUTE,
                quotas.stored(project));
    }

    private List<WorkerAllocation> held(UUID project, Instant now) {
        return ClusterSnapshot.of(assignments.atWork(), queue.underWay(), now).held().stream()
                .filter(it -> it.project().equals(project))
                .toList();
    }
}
