package dev.equipoise.launcher;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Where runs are submitted to. */
interface Site extends AutoCloseable {

    ServiceApi api();

    /**
     * Sees to it that there are workers for runs of these configurations.
     *
     * @throws WrongInput where that is not possible here
     */
    void prepare(List<JsonNode> configurations);

    /**
     * Has the workers measure how fast they train the networks of these configurations.
     *
     * @throws WrongInput where that is not possible here
     */
    void profile(List<JsonNode> configurations);

    /**
     * Passes if there is still somebody to train.
     *
     * @throws LabFailure otherwise
     */
    void requireAlive();

    /** Whether runs go on there when the command is over. */
    boolean outlivesCommand();

    /** What to do before it is left, at the end of the command or at Ctrl-C. */
    void beforeClosing(Runnable action);

    @Override
    void close();
}
