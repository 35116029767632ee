package dev.equipoise.app.schedule;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.worker.LabWorker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Caches the eligible workers of each selector during one scheduling pass. */
final class EligibleWorkers {

    private final List<LabWorker> live;
    private final Map<Map<String, String>, List<LabWorker>> bySelector = new HashMap<>();

    /**
     * @param live the lab's workers, oldest first
     */
    EligibleWorkers(List<LabWorker> live) {
        this.live = List.copyOf(live);
    }

    /** The workers that a run may get, now or after their current work. */
    List<LabWorker> of(RunConfiguration configuration) {
        return bySelector.computeIfAbsent(
                configuration.workers().selector(),
                _ -> List.copyOf(Feasibility.eligible(configuration, live)));
    }

    /** The oldest eligible workers, at most as many as the run asks for. */
    List<LabWorker> first(RunConfiguration configuration) {
        return of(configuration).stream().limit(configuration.workersWanted()).toList();
    }
}
