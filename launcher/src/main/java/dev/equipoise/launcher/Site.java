package dev.equipoise.launcher;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** A service to which a command submits runs. */
interface Site extends AutoCloseable {

    ServiceApi api();

    /**
     * Provides workers for runs of these configurations.
     *
     * @throws UsageError if that is not possible here
     */
    void prepare(List<JsonNode> configurations);

    /**
     * Profiles the networks of these configurations on the workers.
     *
     * @throws UsageError if that is not possible here
     */
    void profile(List<JsonNode> configurations);

    /**
     * Checks that the site can still train.
     *
     * @throws LabFailure if it cannot
     */
    void requireAlive();

    /** Returns whether runs continue when the command has ended. */
    boolean outlivesCommand();

    /** Sets an action that runs before the site closes, at the end of the command or at Ctrl-C. */
    void beforeClosing(Runnable action);

    @Override
    void close();
}
