package dev.equipoise.app.run;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface ReplicaRepository extends JpaRepository<Replica, Replica.Key> {

    /** Where the slowest rank of a run is, of those that train. */
    record Slowest(UUID run, int epoch, int round) {}

    List<Replica> findByKeyRunIdOrderByKeyRank(UUID run);

    /** Those of an earlier generation. */
    @Modifying
    @Query("delete from Replica it where it.key.runId = :run")
    void removeOf(UUID run);

    /** Those that a smaller generation has no more. */
    @Modifying
    @Query("delete from Replica it where it.key.runId = :run and it.key.rank >= :ranks")
    void removeFrom(UUID run, int ranks);

    /**
     * Of the runs that are placed. Who has no share serves, and has no rounds to tell of; of who is
     * lost nothing more is heard.
     */
    @Query(
            """
            select it.key.runId, it.epoch, min(it.round)
            from Replica it
            where it.key.runId in :runs and it.share > 0
              and coalesce(cast(function('jsonb_extract_path_text', it.standstill, 'kind')
                                as string), '') <> 'lost'
              and it.epoch =
                  (select min(other.epoch) from Replica other
                   where other.key.runId = it.key.runId and other.share > 0
                     and coalesce(cast(function('jsonb_extract_path_text', other.standstill, 'kind')
                                       as string), '') <> 'lost')
            group by it.key.runId, it.epoch
            """)
    List<Slowest> findSlowest(Collection<UUID> runs);
}
