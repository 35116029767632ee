package dev.equipoise.app.run;

import dev.equipoise.app.account.ProjectContents;
import dev.equipoise.app.checkpoint.ModelRemoved;
import dev.equipoise.app.checkpoint.Models;
import dev.equipoise.protocol.RunId;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Removes the runs of a project with it, before the experiments to which they belong. */
@Component
@Order(1)
class RunsOfProject implements ProjectContents {

    private static final List<RunState> ENDED =
            Arrays.stream(RunState.values()).filter(RunState::isTerminal).toList();

    private final RunRepository runs;
    private final Models models;
    private final ApplicationEventPublisher events;

    RunsOfProject(RunRepository runs, Models models, ApplicationEventPublisher events) {
        this.runs = runs;
        this.models = models;
        this.events = events;
    }

    @Override
    public String kind() {
        return "runs";
    }

    @Override
    public long count(UUID project) {
        return runs.countByProjectId(project);
    }

    @Override
    public long countActive(UUID project) {
        return runs.countByProjectIdAndStateNotIn(project, ENDED);
    }

    /** Ended runs have no checkpoints; the files of their models follow the commit. */
    @Override
    public void removeAll(UUID project) {
        List<RunId> withModels = models.ofProject(project);
        runs.deleteAllOf(project);
        withModels.forEach(run -> events.publishEvent(new ModelRemoved(run)));
    }
}
