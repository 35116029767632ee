package dev.equipoise.app.allocation;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The workers of a run that compute gradients. Parameter servers compute none.
 *
 * @param workers in rank order, or one for all replicas
 * @param byHost the same workers by host name
 */
record ComputingWorkers(List<LabWorker> workers, SequencedMap<String, List<LabWorker>> byHost) {

    /**
     * The computing workers among all workers of a run.
     *
     * @param chosen one for each rank, or one for all
     */
    static ComputingWorkers of(RunConfiguration configuration, List<LabWorker> chosen) {
        List<LabWorker> computing =
                configuration.isOnOneWorker()
                        ? chosen
                        : chosen.stream().skip(configuration.topology().servers()).toList();
        SequencedMap<String, List<LabWorker>> byHost = new LinkedHashMap<>();
        Workers.byMachine(computing).forEach(it -> byHost.put(it.getFirst().host().name(), it));
        return new ComputingWorkers(computing, byHost);
    }

    /** The computing workers of each host. */
    List<List<LabWorker>> companies() {
        return List.copyOf(byHost.values());
    }

    /** Number of computing workers on the host of a worker. */
    int company(LabWorker worker) {
        return byHost.getOrDefault(worker.host().name(), List.of()).size();
    }
}
