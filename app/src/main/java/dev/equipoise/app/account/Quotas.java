package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Checks the storage quotas of projects. */
@Component
public class Quotas {

    private final ProjectRepository projects;
    private final List<ProjectStorage> stores;

    Quotas(ProjectRepository projects, List<ProjectStorage> stores) {
        this.projects = projects;
        this.stores = List.copyOf(stores);
    }

    /** Returns the quota of a project; no limits if the project does not exist. */
    @Transactional(readOnly = true)
    public Quota of(UUID project) {
        return projects.findById(project).map(Project::quota).orElse(Quota.NONE);
    }

    /**
     * Checks that a project may store more. The check ignores how much will be stored and does not
     * exclude concurrent requests, so that a project may exceed its quota somewhat. Reports of runs
     * that were already queued are always stored: a run without its figures would be wasted.
     *
     * @throws Problem {@code quota-exceeded} if the project has reached its storage quota
     */
    @Transactional(readOnly = true)
    public void requireRoom(UUID project) {
        Long limit = of(project).storedBytes();
        if (limit == null) {
            return;
        }
        long stored = stored(project);
        if (stored >= limit) {
            throw Problem.of(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The project may store %d bytes and has stored %d: remove some runs"
                            .formatted(limit, stored));
        }
    }

    /**
     * Checks that a project may store a file. The check does not exclude concurrent requests.
     *
     * @param bytes size of the file
     * @param replaced size of the stored file whose place it takes; 0 if it takes none
     * @throws Problem {@code quota-exceeded} if the project would exceed its storage quota
     */
    @Transactional(readOnly = true)
    public void requireRoom(UUID project, long bytes, long replaced) {
        Long limit = of(project).storedBytes();
        if (limit == null) {
            return;
        }
        long stored = stored(project);
        if (stored - replaced + bytes > limit) {
            throw Problem.of(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The project may store %d bytes and has stored %d, so that %d more do not fit: remove some runs or models"
                            .formatted(limit, stored, bytes - replaced));
        }
    }

    /** Returns the approximate size of all data of a project, in bytes. */
    @Transactional(readOnly = true)
    public long stored(UUID project) {
        return stores.stream().mapToLong(it -> it.bytes(project)).sum();
    }
}
