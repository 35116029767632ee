package dev.equipoise.app.run;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface ReplicaRepository extends JpaRepository<Replica, Replica.Key> {

    /** Where the slowest rank of a run is. */
    record Slowest(UUID run, int epoch, int round) {}

    List<Replica> findByKeyRunIdOrderByKeyRank(UUID run);

    /** Of the runs that are placed. */
    @Query(
            """
            select it.key.runId, it.epoch, min(it.round)
            from Replica it
            where it.key.runId in :runs
              and it.epoch =
                  (select min(other.epoch) from Replica other where other.key.runId = it.key.runId)
            group by it.key.runId, it.epoch
            """)
    List<Slowest> findSlowest(Collection<UUID> runs);
}
