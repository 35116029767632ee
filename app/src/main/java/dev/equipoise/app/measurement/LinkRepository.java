package dev.equipoise.app.measurement;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface LinkRepository extends JpaRepository<LinkFigure, LinkFigure.Key> {

    /** The newest costs of each link between two of the workers, from complete measurements. */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select distinct on (least(low_worker, high_worker), greatest(low_worker, high_worker)) link.*
                    from link join link_measurement on link_measurement.id = measurement_id
                    where state = 'COMPLETE'
                      and low_worker in (:workers) and high_worker in (:workers)
                    order by least(low_worker, high_worker), greatest(low_worker, high_worker), measured_at desc
                    """)
    List<LinkFigure> findNewest(Collection<UUID> workers);

    long countByKeyMeasurementId(UUID measurement);
}
