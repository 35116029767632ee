package dev.equipoise.app.telemetry;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.maxBy;

import dev.equipoise.protocol.RunPhases;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Time of a run on its agents: from the start of its assignments to their ends, the queue excluded.
 *
 * @param elapsedSeconds sum over the generations of the time of the rank that took longest
 * @param phases phases of these ranks, which sum to the elapsed time
 * @param ranks times of each rank in each generation, in ascending order
 */
public record RunTimes(double elapsedSeconds, RunPhases phases, List<OfRank> ranks) {

    public RunTimes {
        ranks = List.copyOf(ranks);
    }

    /**
     * Time of one rank in one generation.
     *
     * @param generation generation of the run, from 1
     * @param rank rank, from 0
     * @param elapsedSeconds time from the start of its assignment to its last report, in seconds
     * @param phases time by run phase
     */
    @Schema(name = "RankTimes")
    public record OfRank(int generation, int rank, double elapsedSeconds, RunPhases phases) {}

    /**
     * Sums the times of a run.
     *
     * @param ranks in ascending order of generations and ranks
     * @return null without any
     */
    static @Nullable RunTimes of(List<OfRank> ranks) {
        if (ranks.isEmpty()) {
            return null;
        }
        List<OfRank> longest = longest(ranks);
        return new RunTimes(
                longest.stream().mapToDouble(OfRank::elapsedSeconds).sum(),
                longest.stream().map(OfRank::phases).reduce(RunPhases.NONE, RunPhases::plus),
                ranks);
    }

    /** Returns the time of the rank that took longest, of each generation in ascending order. */
    public List<OfRank> longest() {
        return longest(ranks);
    }

    private static List<OfRank> longest(List<OfRank> ranks) {
        return ranks.stream()
                .collect(
                        groupingBy(
                                OfRank::generation,
                                TreeMap::new,
                                collectingAndThen(
                                        maxBy(Comparator.comparingDouble(OfRank::elapsedSeconds)),
                                        Optional::orElseThrow)))
                .values()
                .stream()
                .toList();
    }
}
