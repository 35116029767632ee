package dev.equipoise.app.run;

import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface OrderPartRepository extends JpaRepository<OrderPart, Long> {

    /** In the order in which they were told. */
    List<OrderPart> findByRunIdAndIdGreaterThanOrderById(UUID run, long after, Limit limit);
}
