package dev.equipoise.app.telemetry;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.EpochFinished;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Store of the figures that the ranks of a run report of each epoch. */
@Component
public class EpochStore {

    private final EpochResultRepository results;

    EpochStore(EpochResultRepository results) {
        this.results = results;
    }

    /**
     * Epoch that every rank has reported.
     *
     * @param seconds wall time of the slowest rank
     * @param checksums number of distinct weight checksums among the ranks that train; a server
     *     that sums gradients keeps its initial weights
     */
    public record WholeEpoch(
            int epoch,
            double seconds,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            long checksums) {}

    /** Medians over the epochs of one rank, in seconds. */
    public record RankMedians(int rank, double compute, double transfer, double waiting) {}

    /** Sums over the epochs of one rank in one generation, in seconds. */
    public record PhaseSums(
            int generation,
            int rank,
            double compute,
            double encode,
            double transfer,
            double waiting,
            double apply) {}

    /** Totals of an epoch over all ranks. */
    public record EpochTotal(int epoch, long samples, long bytes) {}

    /** Figures of one rank's epoch that curves consist of. */
    public record EpochFigures(
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

    /** Test accuracy of a run after an epoch, from 0 to 1. */
    public record TestAccuracy(UUID run, int epoch, double accuracy) {}

    /**
     * Stores an epoch of one rank. The primary key would reject a second report as well, but as a
     * conflict, which callers retry.
     *
     * @param ranks number of ranks of the generation
     * @throws Problem {@code invalid-request} if the rank has reported the epoch already
     */
    public void keep(UUID run, int generation, int ranks, EpochFinished finished) {
        var result = new EpochResult(run, generation, ranks, finished);
        if (results.existsById(result.getId())) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d has reported epoch %d already"
                            .formatted(finished.rank(), finished.epoch()));
        }
        results.save(result);
    }

    /** Returns all epochs of all ranks. */
    public List<RankEpoch> of(UUID run) {
        return read(results.findByKeyRunId(run));
    }

    /** Returns an epoch of the ranks that have reported it, in ascending order of ranks. */
    public List<RankEpoch> of(UUID run, int epoch) {
        return read(results.findByKeyRunIdAndKeyEpochOrderByKeyRank(run, epoch));
    }

    private static List<RankEpoch> read(List<EpochResult> some) {
        return some.stream().map(EpochResult::read).toList();
    }

    /** Whether every rank has reported an epoch. */
    public boolean isWhole(UUID run, int epoch) {
        List<EpochResult> reported = results.findByKeyRunIdAndKeyEpochOrderByKeyRank(run, epoch);
        return !reported.isEmpty() && reported.size() == reported.getFirst().ranks();
    }

    /**
     * Returns the epochs that every rank has reported, in ascending order.
     *
     * @param servers number of servers, the first ranks
     */
    public List<WholeEpoch> whole(UUID run, int servers) {
        return results.findWhole(run, servers);
    }

    /** Returns the epochs that only some ranks have reported, in ascending order. */
    public List<Integer> incomplete(UUID run) {
        return results.findIncomplete(run);
    }

    /** Declares an epoch complete with the reports that have arrived. */
    public void close(UUID run, int epoch) {
        results.close(run, epoch);
    }

    /** Returns the number of ranks that have reported an epoch. */
    public long reportsOf(UUID run, int epoch) {
        return results.countByKeyRunIdAndKeyEpoch(run, epoch);
    }

    /** Returns the number of epochs after an epoch that a rank has reported. */
    public long reportedAfter(UUID run, int rank, int epoch) {
        return results.countByKeyRunIdAndKeyRankAndKeyEpochGreaterThan(run, rank, epoch);
    }

    /**
     * Returns the last epoch that every rank below {@code ranks} has reported; 0 if one has
     * reported none.
     */
    public int lastReportedByAll(UUID run, int ranks) {
        List<Integer> last =
                results.findLast(run).stream()
                        .filter(it -> it.rank() < ranks)
                        .map(EpochResultRepository.LastReport::epoch)
                        .toList();
        return last.size() < ranks ? 0 : last.stream().mapToInt(it -> it).min().orElse(0);
    }

    public List<RankMedians> medians(UUID run) {
        return results.findMedians(run);
    }

    /** Returns the phase times of each rank in each generation, without epochs that are void. */
    public List<PhaseSums> phaseSums(UUID run) {
        return results.findPhaseSums(run);
    }

    /** Returns the totals of the epochs that every rank has reported, in ascending order. */
    public List<EpochTotal> totals(UUID run) {
        return results.findTotals(run);
    }

    /** Returns the figures by epoch and rank. */
    public List<EpochFigures> figures(UUID run) {
        return results.findFigures(run);
    }

    /** Returns the test accuracies of some runs, in ascending order of epochs. */
    public List<TestAccuracy> testAccuracies(Collection<UUID> runs) {
        return results.findTestAccuracies(runs);
    }

    /** Returns the mean accuracies of the single replicas, in ascending order of epochs. */
    public List<TestAccuracy> replicaAccuracies(Collection<UUID> runs) {
        return results.findReplicaAccuracies(runs);
    }

    /** Deletes the results after the epoch to whose end a run goes back. */
    public void deleteAfter(UUID run, int epoch) {
        results.deleteAfter(run, epoch);
    }
}
