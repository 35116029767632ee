package dev.equipoise.app.telemetry;

import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface OrderPartRepository extends JpaRepository<ExecutionOrderPart, Long> {

    /** Returns parts in the order in which agents reported them. */
    List<ExecutionOrderPart> findByRunIdAndIdGreaterThanOrderById(
            UUID run, long after, Limit limit);

    /** Deletes the parts after the epoch to whose end a run goes back. */
    @Modifying
    @Query("delete from ExecutionOrderPart it where it.runId = :run and it.epoch > :epoch")
    void deleteAfter(UUID run, int epoch);
}
