package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.worker.LabWorker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The workers that runs may get in one pass, looked up once for all runs that want the same. */
final class Fitting {

    private final List<LabWorker> live;
    private final Map<Map<String, String>, List<LabWorker>> bySelector = new HashMap<>();

    /**
     * @param live the lab's workers, oldest first
     */
    Fitting(List<LabWorker> live) {
        this.live = List.copyOf(live);
    }

    /** Now or when they are done with what they do. */
    List<LabWorker> of(RunConfiguration configuration) {
        return bySelector.computeIfAbsent(
                configuration.workers().selector(),
                _ -> List.copyOf(Placement.fitting(configuration, live)));
    }

    /** As many of them as it wants, if there are that many. */
    List<LabWorker> first(RunConfiguration configuration) {
        return of(configuration).stream().limit(configuration.workersWanted()).toList();
    }
}
