package dev.equipoise.app.account;

import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** What projects may use. */
@Component
public class Quotas {

    private final ProjectRepository projects;

    Quotas(ProjectRepository projects) {
        this.projects = projects;
    }

    /** Of a project; nothing is bounded of one that is gone. */
    @Transactional(readOnly = true)
    public Quota of(UUID project) {
        return projects.findById(project).map(Project::quota).orElse(Quota.NONE);
    }
}
