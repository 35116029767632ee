package dev.equipoise.app.experiment;

import dev.equipoise.app.account.ProjectContents;
import java.util.UUID;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Removes the experiments of a project with it, after their runs. */
@Component
@Order(2)
class ExperimentsOfProject implements ProjectContents {

    private final ExperimentRepository experiments;

    ExperimentsOfProject(ExperimentRepository experiments) {
        this.experiments = experiments;
    }

    @Override
    public String kind() {
        return "experiments";
    }

    @Override
    public long count(UUID project) {
        return experiments.countByProjectId(project);
    }

    /** Only runs are at work. */
    @Override
    public long countActive(UUID project) {
        return 0;
    }

    @Override
    public void removeAll(UUID project) {
        experiments.deleteAllOf(project);
    }
}
