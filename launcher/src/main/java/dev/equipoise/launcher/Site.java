package dev.equipoise.launcher;

import dev.equipoise.launcher.interrupt.OpenRuns;
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

    /**
     * Returns the id of the project in which runs are queued.
     *
     * @throws UsageError if the user has to choose one
     */
    String project();

    /** Sets the runs that the site leaves or cancels before it closes. */
    void atEnd(OpenRuns open);

    @Override
    void close();
}
