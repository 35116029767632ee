package dev.equipoise.app.worker;

import java.time.Instant;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface ClusterViewRepository extends JpaRepository<ClusterView, String> {

    /**
     * Stores a reported cluster view, or renews its time if another worker has reported it before.
     *
     * @param workers the IDs as JSON
     */
    @Modifying
    @Query(
            nativeQuery = true,
            value =
                    """
                    insert into sight (digest, workers, told_at)
                    values (:digest, cast(:workers as jsonb), :now)
                    on conflict (digest) do update set told_at = excluded.told_at
                    """)
    void keep(String digest, String workers, Instant now);

    /** Removes views that no worker refers to and that were last reported before {@code before}. */
    @Modifying
    @Query(
            nativeQuery = true,
            value =
                    """
                    delete from sight
                    where told_at < :before
                      and not exists (select from worker where sight_digest = digest)
                    """)
    int forget(Instant before);
}
