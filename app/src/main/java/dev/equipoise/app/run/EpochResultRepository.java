package dev.equipoise.app.run;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface EpochResultRepository extends JpaRepository<EpochResult, EpochResult.Key> {

    /**
     * An epoch that every rank has reported.
     *
     * @param seconds the slowest rank's wall time
     * @param checksums how many different ones the ranks that train told of their parameters; a
     *     server that sums gradients keeps the ones it began with
     */
    record WholeEpoch(
            int epoch,
            double seconds,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            long checksums) {}

    /** Each the median over the epochs of one rank. */
    record RankMedians(int rank, double compute, double transfer, double waiting) {

        RankSeconds seconds() {
            return new RankSeconds(compute, transfer, waiting);
        }
    }

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

    List<EpochResult> findByKeyRunIdAndKeyEpochOrderByKeyRank(UUID run, int epoch);

    /** What all ranks together came to in an epoch. */
    record EpochTotal(int epoch, long samples, long bytes) {}

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

    /** Figures of one rank's epoch of which curves are made. */
    record EpochFigures(
            int rank,
            int epoch,
            int ranks,
            int samples,
            double wallSeconds,
            long bytes,
            double meanLoss,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            @Nullable Double ownAccuracy,
            @Nullable Double ownLoss,
            @Nullable Double absoluteDistance,
            @Nullable Double relativeDistance) {}

    /** Epoch by epoch, in the order of ranks. */
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

    /** What a run's test accuracy was after an epoch. */
    record Seen(UUID run, int epoch, double accuracy) {}

    @Query(
            """
            select it.key.runId, it.key.epoch, min(it.testAccuracy)
            from EpochResult it
            where it.key.runId in :runs and it.testAccuracy is not null
            group by it.key.runId, it.key.epoch
            order by it.key.epoch
            """)
    List<Seen> findSeen(Collection<UUID> runs);

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

    /** The epochs of which not all ranks have told theirs. */
    @Query(
            """
            select it.key.epoch
            from EpochResult it
            where it.key.runId = :run
            group by it.key.epoch
            having count(*) < max(it.ranks)
            order by it.key.epoch
            """)
    List<Integer> findOpen(UUID run);

    /** What has come of an epoch is all that comes. */
    @Modifying
    @Query(
            """
            update EpochResult it
            set it.ranks = (select count(*) from EpochResult told
                            where told.key.runId = :run and told.key.epoch = :epoch)
            where it.key.runId = :run and it.key.epoch = :epoch
            """)
    void close(UUID run, int epoch);

    /** Those of a run that goes back to the end of an epoch. */
    @Modifying
    @Query("delete from EpochResult it where it.key.runId = :run and it.key.epoch > :epoch")
    void forgetAfter(UUID run, int epoch);

    /** What a rank has told last. */
    record Told(int rank, int epoch) {}

    @Query(
            """
            select it.key.rank, max(it.key.epoch)
            from EpochResult it
            where it.key.runId = :run
            group by it.key.rank
            """)
    List<Told> findLast(UUID run);

    /** The last epoch that all of so many ranks have told; 0 where some have told none. */
    default int lastToldByAll(UUID run, int ranks) {
        List<Told> last = findLast(run).stream().filter(it -> it.rank() < ranks).toList();
        return last.size() < ranks ? 0 : last.stream().mapToInt(Told::epoch).min().orElse(0);
    }

    /** Whether every rank has told what an epoch came to. */
    default boolean isWhole(UUID run, int epoch) {
        List<EpochResult> told = findByKeyRunIdAndKeyEpochOrderByKeyRank(run, epoch);
        return !told.isEmpty() && told.size() == told.getFirst().ranks();
    }

    /** What a run's epochs so far came to, at least one of which is whole. */
    default Measured summedUp(Run run) {
        return Measured.of(findWhole(run.id(), run.configuration().topology().servers()));
    }
}
