package dev.equipoise.app.worker;

import dev.equipoise.app.account.AdmittedWorkers;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Finds the workers that a join token has admitted in the table of workers. */
@Component
class WorkersOfJoinToken implements AdmittedWorkers {

    private final WorkerRepository workers;

    WorkersOfJoinToken(WorkerRepository workers) {
        this.workers = workers;
    }

    @Override
    @Transactional(readOnly = true)
    public List<WorkerId> admittedBy(UUID joinToken) {
        return workers.findAdmitted(joinToken).stream().map(WorkerId::of).toList();
    }
}
