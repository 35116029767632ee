package dev.equipoise.app.profile;

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

    /** The reports of its ranks come at once; each takes its turn. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from LinkMeasurement it where it.id = :id")
    Optional<LinkMeasurement> findForUpdate(UUID id);

    List<LinkMeasurement> findByStateInOrderByRequestedAt(Collection<ProfileState> states);

    List<LinkMeasurement> findByWorkersAndStateInOrderByRequestedAtDesc(
            String workers, Collection<ProfileState> states, Limit limit);

    @Query(
            """
            select it from LinkMeasurement it
            where (it.requestedAt < :at or (it.requestedAt = :at and it.id < :id))
            order by it.requestedAt desc, it.id desc
            """)
    List<LinkMeasurement> findNewest(Instant at, UUID id, Limit limit);
}
