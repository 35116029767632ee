package dev.equipoise.app.worker;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface WorkerRepository extends JpaRepository<Worker, UUID> {

    List<Worker> findByStateInOrderByJoinedAt(Collection<WorkerState> states);

    List<Worker> findByStateInOrderByJoinedAtDesc(Collection<WorkerState> states, Limit limit);

    List<Worker> findByStateInAndLastSeenAtBefore(Collection<WorkerState> states, Instant limit);
}
