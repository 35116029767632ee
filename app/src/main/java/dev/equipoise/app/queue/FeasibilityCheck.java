package dev.equipoise.app.queue;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Tells what keeps new runs from starting in the lab. The scheduler implements it. */
public interface FeasibilityCheck {

    /** Takes a snapshot of the lab for any number of runs of a project. */
    Outlook of(UUID project);

    /** Snapshot of the lab. */
    interface Outlook {

        /**
         * Returns what keeps a run from ever starting, whichever workers join, and a data folder
         * that no live worker has; empty if nothing does.
         */
        List<Violation> never(RunConfiguration configuration);

        /** Returns why a run cannot start even with all live workers; empty if it can. */
        Optional<WaitReason> notYet(RunConfiguration configuration);
    }
}
