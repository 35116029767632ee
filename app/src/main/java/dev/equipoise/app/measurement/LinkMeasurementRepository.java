package dev.equipoise.app.measurement;

import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

interface LinkMeasurementRepository extends JpaRepository<LinkMeasurement, UUID> {

    /** Locks a measurement, so that concurrent reports of its ranks wait for one another. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from LinkMeasurement it where it.id = :id")
    Optional<LinkMeasurement> findForUpdate(UUID id);

    List<LinkMeasurement> findByStateInOrderByRequestedAt(Collection<MeasurementState> states);

    List<LinkMeasurement> findByWorkersAndStateInOrderByRequestedAtDesc(
            String workers, Collection<MeasurementState> states, Limit limit);

    @Query(
            """
            select it from LinkMeasurement it
            where (it.requestedAt < :at or (it.requestedAt = :at and it.id < :id))
            order by it.requestedAt desc, it.id desc
            """)
    List<LinkMeasurement> findNewest(Instant at, UUID id, Limit limit);
}
