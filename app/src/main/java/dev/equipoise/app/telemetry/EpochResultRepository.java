package dev.equipoise.app.telemetry;

import dev.equipoise.app.telemetry.EpochStore.EpochFigures;
import dev.equipoise.app.telemetry.EpochStore.EpochTotal;
import dev.equipoise.app.telemetry.EpochStore.PhaseSums;
import dev.equipoise.app.telemetry.EpochStore.RankMedians;
import dev.equipoise.app.telemetry.EpochStore.TestAccuracy;
import dev.equipoise.app.telemetry.EpochStore.WholeEpoch;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface EpochResultRepository extends JpaRepository<EpochResult, EpochResult.Key> {

    List<EpochResult> findByKeyRunId(UUID run);

    @Query(
            """
            select it.key.rank,
                   percentile_cont(0.5) within group (order by it.computeSeconds),
                   percentile_cont(0.5) within group (order by it.transferSeconds),
                   percentile_cont(0.5) within group (order by it.waitSeconds)
            from EpochResult it
            where it.key.runId = :run
            group by it.key.rank
            """)
    List<RankMedians> findMedians(UUID run);

    @Query(
            """
            select it.generation, it.key.rank, sum(it.computeSeconds), sum(it.encodeSeconds),
                   sum(it.transferSeconds), sum(it.waitSeconds), sum(it.applySeconds)
            from EpochResult it
            where it.key.runId = :run
            group by it.generation, it.key.rank
            """)
    List<PhaseSums> findPhaseSums(UUID run);

    List<EpochResult> findByKeyRunIdAndKeyEpochOrderByKeyRank(UUID run, int epoch);

    @Query(
            """
            select it.key.epoch, sum(it.samples),
                   sum(it.gradientBytes + it.weightBytes + it.controlBytes)
            from EpochResult it
            where it.key.runId = :run
            group by it.key.epoch
            having count(*) = max(it.ranks)
            order by it.key.epoch
            """)
    List<EpochTotal> findTotals(UUID run);

    /** Returns the figures by epoch and rank. */
    @Query(
            """
            select it.key.rank, it.key.epoch, it.ranks, it.samples, it.wallSeconds,
                   it.gradientBytes + it.weightBytes + it.controlBytes, it.meanLoss,
                   it.testAccuracy, it.testLoss, it.ownAccuracy, it.ownLoss,
                   it.absoluteDistance, it.relativeDistance
            from EpochResult it
            where it.key.runId = :run
            order by it.key.epoch, it.key.rank
            """)
    List<EpochFigures> findFigures(UUID run);

    long countByKeyRunIdAndKeyRankAndKeyEpochGreaterThan(UUID run, int rank, int epoch);

    long countByKeyRunIdAndKeyEpoch(UUID run, int epoch);

    @Query(
            """
            select it.key.runId, it.key.epoch, min(it.testAccuracy)
            from EpochResult it
            where it.key.runId in :runs and it.testAccuracy is not null
            group by it.key.runId, it.key.epoch
            order by it.key.epoch
            """)
    List<TestAccuracy> findTestAccuracies(Collection<UUID> runs);

    /** Returns the means over the replicas that were evaluated by themselves. */
    @Query(
            """
            select it.key.runId, it.key.epoch, avg(it.ownAccuracy)
            from EpochResult it
            where it.key.runId in :runs and it.ownAccuracy is not null
            group by it.key.runId, it.key.epoch
            order by it.key.epoch
            """)
    List<TestAccuracy> findReplicaAccuracies(Collection<UUID> runs);

    @Query(
            """
            select it.key.epoch, max(it.wallSeconds), min(it.testAccuracy), max(it.testLoss),
                   count(distinct case when it.key.rank >= :servers then it.parameters end)
            from EpochResult it
            where it.key.runId = :run
            group by it.key.epoch
            having count(*) = max(it.ranks)
            order by it.key.epoch
            """)
    List<WholeEpoch> findWhole(UUID run, int servers);

    /** Returns the epochs that only some ranks have reported. */
    @Query(
            """
            select it.key.epoch
            from EpochResult it
            where it.key.runId = :run
            group by it.key.epoch
            having count(*) < max(it.ranks)
            order by it.key.epoch
            """)
    List<Integer> findIncomplete(UUID run);

    /** Declares an epoch complete with the reports that have arrived. */
    @Modifying
    @Query(
            """
            update EpochResult it
            set it.ranks = (select count(*) from EpochResult reported
                            where reported.key.runId = :run and reported.key.epoch = :epoch)
            where it.key.runId = :run and it.key.epoch = :epoch
            """)
    void close(UUID run, int epoch);

    /** Deletes the results after the epoch to whose end a run goes back. */
    @Modifying
    @Query("delete from EpochResult it where it.key.runId = :run and it.key.epoch > :epoch")
    void deleteAfter(UUID run, int epoch);

    /** Last epoch that a rank has reported. */
    record LastReport(int rank, int epoch) {}

    @Query(
            """
            select it.key.rank, max(it.key.epoch)
            from EpochResult it
            where it.key.runId = :run
            group by it.key.rank
            """)
    List<LastReport> findLast(UUID run);
}
