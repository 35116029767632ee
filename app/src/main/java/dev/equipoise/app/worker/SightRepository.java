package dev.equipoise.app.worker;

import java.time.Instant;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface SightRepository extends JpaRepository<Sight, String> {

    /**
     * Keeps one that a worker has told, which others may have before.
     *
     * @param workers as JSON
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

    /** Removes those that no worker has any more, and that none is about to refer to. */
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
