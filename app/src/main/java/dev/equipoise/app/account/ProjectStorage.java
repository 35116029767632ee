package dev.equipoise.app.account;

import java.util.UUID;

/** Reports what a module stores for projects. */
public interface ProjectStorage {

    /**
     * Returns the approximate size of the module's data of a project, in bytes; cheap enough for
     * each submission.
     */
    long bytes(UUID project);
}
