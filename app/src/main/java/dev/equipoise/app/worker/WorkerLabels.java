package dev.equipoise.app.worker;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.WorkerId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Changes the labels of workers for administrators. */
@Service
class WorkerLabels {

    private static final Logger log = LoggerFactory.getLogger(WorkerLabels.class);

    private final WorkerRepository workers;
    private final Audit audit;
    private final ApplicationEventPublisher events;

    WorkerLabels(WorkerRepository workers, Audit audit, ApplicationEventPublisher events) {
        this.workers = workers;
        this.audit = audit;
        this.events = events;
    }

    /**
     * Sets and removes labels of a worker. Work that it has continues.
     *
     * @param wanted values by name of the label; null removes the label
     * @throws Problem {@code not-found}, or {@code invalid-request} if a name or a value is not one
     *     of a label
     */
    @Transactional
    LabWorker change(Caller.User caller, WorkerId id, Map<String, @Nullable String> wanted) {
        Worker worker =
                workers.findForUpdate(id.value())
                        .filter(it -> !it.isRemoved())
                        .orElseThrow(() -> Problem.notFound("worker", id));
        worker.label(wanted);
        LabWorker changed = worker.snapshot();
        audit.note(caller, Change.of("worker-labels-changed", "worker", id).with("labels", wanted));
        log.info("worker labels: {} {} has {}", changed.name(), id, changed.labels());
        events.publishEvent(new LiveWorkersChanged());
        return changed;
    }
}
