package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** What projects may use. */
@Component
public class Quotas {

    private final ProjectRepository projects;
    private final List<Stored> stores;

    Quotas(ProjectRepository projects, List<Stored> stores) {
        this.projects = projects;
        this.stores = List.copyOf(stores);
    }

    /** Of a project; nothing is bounded of one that is gone. */
    @Transactional(readOnly = true)
    public Quota of(UUID project) {
        return projects.findById(project).map(Project::quota).orElse(Quota.NONE);
    }

    /**
     * Passes if somebody may store something more in a project. How much it will be is not asked,
     * and two who ask at once both pass, so that a project may end with some more than its bound.
     * What runs that were queued before it go on to tell is always taken: a run without its figures
     * would have been for nothing.
     *
     * @throws Problem {@code quota-exceeded} where it has stored as much as it may
     */
    @Transactional(readOnly = true)
    public void requireRoom(UUID project) {
        Long most = of(project).storedBytes();
        if (most == null) {
            return;
        }
        long stored = stored(project);
        if (stored >= most) {
            throw Problem.of(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The project may store %d bytes, and has stored %d: remove some runs"
                            .formatted(most, stored));
        }
    }

    /** The bytes of all that a project has, about. */
    @Transactional(readOnly = true)
    public long stored(UUID project) {
        return stores.stream().mapToLong(it -> it.bytes(project)).sum();
    }
}
