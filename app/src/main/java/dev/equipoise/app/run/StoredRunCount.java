package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunCount;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Counts the stored runs of experiments. */
@Component
class StoredRunCount implements RunCount {

    private final RunRepository runs;

    StoredRunCount(RunRepository runs) {
        this.runs = runs;
    }

    @Override
    public long of(UUID experiment) {
        return runs.countByExperiment(experiment);
    }
}
