package dev.equipoise.app.run;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface RunRankRepository extends JpaRepository<RunRank, RunRank.Key> {

    /** Progress of the slowest rank of a run, of the ranks that train. */
    record Slowest(UUID run, int epoch, int round) {}

    List<RunRank> findByKeyRunIdOrderByKeyRank(UUID run);

    /** Deletes all ranks of an earlier generation. */
    @Modifying
    @Query("delete from RunRank it where it.key.runId = :run")
    void removeOf(UUID run);

    /** Deletes the ranks that a smaller generation does not have. */
    @Modifying
    @Query("delete from RunRank it where it.key.runId = :run and it.key.rank >= :ranks")
    void removeFrom(UUID run, int ranks);

    /**
     * Returns the slowest rank of each placed run. Servers have no share and report no rounds; lost
     * ranks report nothing any more. Neither counts.
     */
    @Query(
            """
            select it.key.runId, it.epoch, min(it.round)
            from RunRank it
            where it.key.runId in :runs and it.share > 0
              and coalesce(cast(function('jsonb_extract_path_text', it.stopped, 'kind')
                                as string), '') <> 'lost'
              and it.epoch =
                  (select min(other.epoch) from RunRank other
                   where other.key.runId = it.key.runId and other.share > 0
                     and coalesce(cast(function('jsonb_extract_path_text', other.stopped, 'kind')
                                       as string), '') <> 'lost')
            group by it.key.runId, it.epoch
            """)
    List<Slowest> findSlowest(Collection<UUID> runs);
}
