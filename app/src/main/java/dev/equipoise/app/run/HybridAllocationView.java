package dev.equipoise.app.run;

import dev.equipoise.app.prediction.RankSeconds;
import dev.equipoise.protocol.Grouping;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * Sharing of hidden units among the ranks of a hybrid run, with the predicted time of each group
 * formation at placement.
 *
 * @param grouping hidden units of each rank
 * @param samples samples of each group in an epoch
 * @param formations all formations, those with the largest groups first
 * @param ranks predicted seconds of each rank in a round; none in runs of earlier versions
 * @param bytes predicted bytes that all ranks send in a round; 0 in runs of earlier versions
 */
@Schema(name = "Run.Hybrid")
public record HybridAllocationView(
        Grouping grouping,
        List<Integer> samples,
        List<Formation> formations,
        List<RankSeconds> ranks,
        long bytes) {

    public HybridAllocationView {
        samples = List.copyOf(samples);
        formations = List.copyOf(formations);
        ranks = List.copyOf(ranks);
    }

    /**
     * Group formation with groups of equal size.
     *
     * @param nodeParallel members of a group, among which hidden units are shared
     * @param dataParallel groups, among which samples are shared
     * @param predictedSeconds seconds of a round
     * @param predictedSumSeconds seconds of a round in all-reduces over groups and over their
     *     members
     * @param chosen whether the run uses this formation
     */
    @Schema(name = "Run.Formation")
    public record Formation(
            int nodeParallel,
            int dataParallel,
            double predictedSeconds,
            double predictedSumSeconds,
            boolean chosen) {}

    /** Returns the formation that the run uses. */
    public Formation chosen() {
        return formations.stream().filter(Formation::chosen).findFirst().orElseThrow();
    }
}
