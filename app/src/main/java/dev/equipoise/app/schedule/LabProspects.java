package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quota;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.run.Prospects;
import dev.equipoise.app.run.Waiting;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Tells of runs that are submitted what would keep them from beginning. */
@Component
class LabProspects implements Prospects {

    private final Workers workers;
    private final Quotas quotas;

    LabProspects(Workers workers, Quotas quotas) {
        this.workers = workers;
        this.quotas = quotas;
    }

    @Override
    public Outlook of(UUID project) {
        return new AtOneMoment(workers.live(), quotas.of(project));
    }

    private record AtOneMoment(List<LabWorker> live, Quota quota) implements Outlook {

        @Override
        public List<Violation> never(RunConfiguration configuration) {
            Integer most = quota.replicasAtOnce();
            int wanted = Placement.leastWanted(configuration);
            return most != null && wanted > most
                    ? List.of(
                            new Violation(
                                    "/workers/replicas",
                                    "must take at most %d workers, as many as the project may have at once"
                                            .formatted(most),
                                    wanted))
                    : List.of();
        }

        @Override
        public Optional<Waiting> notYet(RunConfiguration configuration) {
            return Placement.unsatisfiable(configuration, live);
        }
    }
}
