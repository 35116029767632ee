package dev.equipoise.app.run;

import dev.equipoise.protocol.Grouping;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * How the ranks of a run share hidden units, and what every way to form groups was predicted to
 * take when it was placed.
 *
 * @param grouping who has which
 * @param samples of each group, an epoch
 * @param formations all that there are, those of the largest groups first
 * @param ranks what each rank was predicted to do in a round; none in runs of earlier versions
 * @param bytes that all ranks send in a round, as was predicted; 0 in runs of earlier versions
 */
@Schema(name = "Run.Hybrid")
public record Hybrid(
        Grouping grouping,
        List<Integer> samples,
        List<Formation> formations,
        List<RankSeconds> ranks,
        long bytes) {

    public Hybrid {
        samples = List.copyOf(samples);
        formations = List.copyOf(formations);
        ranks = List.copyOf(ranks);
    }

    /**
     * Groups of equal size.
     *
     * @param nodeParallel members of a group, over which hidden units are shared
     * @param dataParallel groups, over which samples are shared
     * @param predictedSeconds of a round
     * @param predictedSumSeconds of these, in sums over groups and over their members
     * @param chosen whether the run has it
     */
    @Schema(name = "Run.Formation")
    public record Formation(
            int nodeParallel,
            int dataParallel,
            double predictedSeconds,
            double predictedSumSeconds,
            boolean chosen) {}

    /** The one that the run has. */
    public Formation chosen() {
        return formations.stream().filter(Formation::chosen).findFirst().orElseThrow();
    }
}
