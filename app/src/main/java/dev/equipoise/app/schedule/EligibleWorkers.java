package dev.equipoise.app.schedule;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.worker.LabWorker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Caches the eligible workers of equal requirements during one scheduling pass. */
final class EligibleWorkers {

    private final List<LabWorker> live;
    private final Map<Requirements, List<LabWorker>> byRequirements = new HashMap<>();

    private record Requirements(Map<String, String> selector, @Nullable String folder) {}

    /**
     * @param live the lab's workers, oldest first
     */
    EligibleWorkers(List<LabWorker> live) {
        this.live = List.copyOf(live);
    }

    /** The workers that a run may get, now or after their current work. */
    List<LabWorker> of(RunConfiguration configuration) {
        return byRequirements.computeIfAbsent(
                new Requirements(configuration.workers().selector(), configuration.folder()),
                _ -> List.copyOf(Feasibility.eligible(configuration, live)));
    }

    /** The oldest eligible workers, at most as many as the run asks for. */
    List<LabWorker> first(RunConfiguration configuration) {
        return of(configuration).stream().limit(configuration.workersWanted()).toList();
    }
}
