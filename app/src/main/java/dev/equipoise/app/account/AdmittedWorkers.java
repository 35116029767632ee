package dev.equipoise.app.account;

import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;

/** Finds the workers that a join token has admitted. */
@FunctionalInterface
public interface AdmittedWorkers {

    /**
     * Returns the workers that have not been removed, oldest first.
     *
     * @param joinToken id of the join token
     */
    List<WorkerId> admittedBy(UUID joinToken);
}
