package dev.equipoise.app.measurement;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface LinkRepository extends JpaRepository<LinkFigure, LinkFigure.Key> {

    /**
     * The newest costs of each link between two of the workers, from complete measurements. Costs
     * that were measured before a worker changed its host or address are stale and left out.
     */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select distinct on (least(low_worker, high_worker), greatest(low_worker, high_worker)) link.*
                    from link join link_measurement on link_measurement.id = measurement_id
                      join worker low on low.id = low_worker
                      join worker high on high.id = high_worker
                    where link_measurement.state = 'COMPLETE'
                      and low_worker in (:workers) and high_worker in (:workers)
                      and measured_at > greatest(low.links_since, high.links_since, '-infinity')
                    order by least(low_worker, high_worker), greatest(low_worker, high_worker), measured_at desc
                    """)
    List<LinkFigure> findNewest(Collection<UUID> workers);

    /** Whether a worker has changed its host or address since a measurement. */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select exists (
                      select 1 from link join worker on worker.id in (low_worker, high_worker)
                      where measurement_id = :measurement and measured_at <= links_since)
                    """)
    boolean isStale(UUID measurement);

    long countByKeyMeasurementId(UUID measurement);
}
