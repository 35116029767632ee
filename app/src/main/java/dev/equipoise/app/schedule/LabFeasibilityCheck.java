package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quota;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.queue.FeasibilityCheck;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Checks submitted runs against the quota of their project and the workers of the lab. */
@Component
class LabFeasibilityCheck implements FeasibilityCheck {

    private final Workers workers;
    private final Quotas quotas;

    LabFeasibilityCheck(Workers workers, Quotas quotas) {
        this.workers = workers;
        this.quotas = quotas;
    }

    @Override
    public Outlook of(UUID project) {
        return new Snapshot(workers.live(), quotas.of(project));
    }

    private record Snapshot(List<LabWorker> live, Quota quota) implements Outlook {

        @Override
        public List<Violation> never(RunConfiguration configuration) {
            return Stream.of(beyondQuota(configuration), unknownFolder(configuration))
                    .flatMap(Optional::stream)
                    .toList();
        }

        private Optional<Violation> beyondQuota(RunConfiguration configuration) {
            Integer limit = quota.replicasAtOnce();
            int wanted = Feasibility.minimumWorkers(configuration);
            return limit != null && wanted > limit
                    ? Optional.of(
                            new Violation(
                                    "/workers/replicas",
                                    "must take at most %d workers, the quota of the project"
                                            .formatted(limit),
                                    wanted))
                    : Optional.empty();
        }

        private Optional<Violation> unknownFolder(RunConfiguration configuration) {
            return Feasibility.unknownFolder(configuration, live);
        }

        @Override
        public Optional<WaitReason> notYet(RunConfiguration configuration) {
            return Feasibility.unsatisfiable(configuration, live);
        }
    }
}
