package dev.equipoise.app.measurement;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.WorkerCordoned;
import dev.equipoise.app.worker.WorkerDeparted;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.WorkerId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The lifecycle of measurement sessions: the scheduler claims a pending session for its workers,
 * each worker leases its task and reports on it, and the session fails as a whole.
 */
@Service
public class Measurements {

    private final ProfileSessions profiles;
    private final LinkSessions links;
    private final Sessions sessions;

    Measurements(ProfileSessions profiles, LinkSessions links, Sessions sessions) {
        this.profiles = profiles;
        this.links = links;
        this.sessions = sessions;
    }

    private SessionStore store(MeasurementKind kind) {
        return switch (kind) {
            case PROFILES -> profiles;
            case LINKS -> links;
        };
    }

    /**
     * All unfinished sessions: profiles first, the oldest of each kind first. Their number is
     * small, as equal requests to a live worker share a session.
     */
    @Transactional(readOnly = true)
    public List<OpenSession> open() {
        return Stream.concat(profiles.open().stream(), links.open().stream()).toList();
    }

    /** The tasks of a pending session in rank order; empty if the session is not pending. */
    @Transactional
    public SequencedMap<WorkerId, MeasurementTask> claim(OpenSession session) {
        SessionStore store = store(session.kind());
        Session locked = store.lock(session.id());
        return locked.isPending() ? store.claim(locked) : new LinkedHashMap<>();
    }

    /** Locks the session of a task until the transaction ends. */
    @Transactional
    public void hold(MeasurementTask task) {
        store(task.kind()).lockOf(task.id());
    }

    /** Notes the first lease of a task. */
    @Transactional
    public void begin(MeasurementTask task) {
        store(task.kind()).begin(task);
    }

    /**
     * Creates the message for the worker of a task.
     *
     * @param key of the channel between the workers of the session, in Base64
     */
    @Transactional(readOnly = true)
    public Assignment assignment(
            MeasurementTask task, AssignmentId id, int generation, String key) {
        return store(task.kind()).assignment(task, id, generation, key);
    }

    /**
     * Records an event of the worker of a task; ignores events after its end.
     *
     * @throws Problem {@code invalid-request} if the event does not belong to the task
     */
    @Transactional
    public void record(MeasurementTask task, AgentEvent event) {
        store(task.kind()).record(task, event);
    }

    /**
     * Fails the session of a task whose worker has lost it.
     *
     * @param how the predicate of the worker in the message
     */
    @Transactional
    public void lose(MeasurementTask task, String how) {
        SessionStore store = store(task.kind());
        Session session = store.lockOf(task.id());
        sessions.fail(session, session.part(task.id()), store.lossOf(task, how));
    }

    @EventListener
    @Transactional
    void on(WorkerDeparted gone) {
        for (OpenSession open : openOf(gone.worker())) {
            Session session = store(open.kind()).lock(open.id());
            sessions.fail(
                    session,
                    session.partOf(gone.worker()),
                    "worker %s %s".formatted(gone.name(), gone.how()));
        }
    }

    /** Withdraws pending sessions: the other workers would wait forever for the cordoned one. */
    @EventListener
    @Transactional
    void on(WorkerCordoned cordoned) {
        for (OpenSession open : openOf(cordoned.worker())) {
            Session session = store(open.kind()).lock(open.id());
            if (session.isPending()) {
                sessions.withdraw(session, "worker %s was cordoned".formatted(cordoned.name()));
            }
        }
    }

    private List<OpenSession> openOf(WorkerId worker) {
        return open().stream().filter(it -> it.workers().contains(worker)).toList();
    }
}
