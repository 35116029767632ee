package dev.equipoise.app.measurement;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;

/** Stores the sessions of one kind and what their workers report. Needs a transaction. */
interface SessionStore {

    /** All unfinished sessions, oldest first. */
    List<OpenSession> open();

    /** Locks a session until the transaction ends. */
    Session lock(UUID session);

    /** Locks the session of a part until the transaction ends. */
    Session lockOf(UUID part);

    /** Gives the workers of a locked, pending session their tasks, in rank order. */
    SequencedMap<WorkerId, MeasurementTask> claim(Session session);

    /** Notes the first lease of a task. */
    void begin(MeasurementTask task);

    /**
     * Creates the message for the worker of a task.
     *
     * @param key of the channel between the workers, in Base64
     */
    Assignment assignment(MeasurementTask task, AssignmentId id, int generation, String key);

    /** Records an event of the worker of a task; ignores events after its end. */
    void record(MeasurementTask task, AgentEvent event);

    /**
     * The message that a worker has lost its task.
     *
     * @param how the predicate of the worker
     */
    String lossOf(MeasurementTask task, String how);
}
