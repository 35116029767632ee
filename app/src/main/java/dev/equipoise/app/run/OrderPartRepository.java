package dev.equipoise.app.run;

import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface OrderPartRepository extends JpaRepository<OrderPart, Long> {

    /** In the order in which they were told. */
    List<OrderPart> findByRunIdAndIdGreaterThanOrderById(UUID run, long after, Limit limit);

    /** Those of a run that goes back to the end of an epoch. */
    @Modifying
    @Query("delete from OrderPart it where it.runId = :run and it.epoch > :epoch")
    void forgetAfter(UUID run, int epoch);
}
