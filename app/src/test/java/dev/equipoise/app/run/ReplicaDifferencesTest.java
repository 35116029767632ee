package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.telemetry.RankEpoch;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplicaDifferencesTest {

    private static final List<RunRank> RANKS = List.of(rank(0, "AVX512_CORE"), rank(1, null));

    private static RunRank rank(int rank, @Nullable String processor) {
        return new RunRank(
                new UUID(0, 1),
                rank,
                rank,
                new RankAllocation(
                        WorkerId.of(new UUID(0, rank)),
                        "w" + rank,
                        100,
                        10,
                        null,
                        processor,
                        "oneDNN"));
    }

    private static RunRank replaced(int rank) {
        RunRank runRank = rank(rank, null);
        runRank.ready(new ReplicaReady(rank, 0, "p", new ReplicaDistance(0, 2, 0.25)));
        return runRank;
    }

    /** Returns the results of an epoch in which some ranks differ from rank 0. */
    private static List<RankEpoch> epoch(int generation, int ranks, Set<Integer> differing) {
        return IntStream.range(0, ranks)
                .mapToObj(rank -> {
                    EpochFinished equal =
                            TestingEpochs.ofRank(
                                    rank,
                                    TestingEpochs.epoch(3, 100, 1, 0, 0, 1, 0, 0.5, null, "p"));
                    return new RankEpoch(
                            generation,
                            ranks,
                            null,
                            null,
                            differing.contains(rank)
                                    ? TestingEpochs.differing("q", 1e-7, equal)
                                    : equal);
                })
                .toList();
    }

    @Test
    void equalReplicasNeedNoWords() {
        assertThat(ReplicaDifferences.afterEpoch(epoch(1, 2, Set.of()), List.of(), RANKS))
                .isEmpty();
        assertThat(ReplicaDifferences.atStart(RANKS, epoch(1, 2, Set.of()))).isEmpty();
        assertThat(ReplicaDifferences.atStart(RANKS, List.of())).isEmpty();
    }

    @Test
    void distancesAreToldWithWorkersAndProcessors() {
        assertThat(ReplicaDifferences.afterEpoch(epoch(1, 2, Set.of(1)), List.of(), RANKS))
                .hasValue(
                        "replicas differ after epoch 3 from that of rank 0 on w0 (AVX512_CORE): rank 1 on w1 is 1.00e-06 away, 1.00e-07 of the norm");
    }

    /** Returns the result of a rank that has measured no distance, as before protocol 0.2. */
    private static RankEpoch unmeasured(int rank, String parameters) {
        return new RankEpoch(
                1,
                2,
                null,
                null,
                TestingEpochs.ofRank(
                        rank, TestingEpochs.epoch(3, 100, 1, 0, 0, 1, 0, 0.5, null, parameters)));
    }

    @Test
    void distancesThatNobodyHasMeasuredAreNoZeros() {
        List<RankEpoch> results = List.of(unmeasured(0, "p"), unmeasured(1, "q"));

        assertThat(ReplicaDifferences.afterEpoch(results, List.of(), RANKS))
                .hasValue(
                        "replicas differ after epoch 3 from that of rank 0 on w0 (AVX512_CORE): rank 1 on w1 is at a distance that nobody has measured");
        assertThat(ReplicaDifferences.afterEpoch(results, results, RANKS)).isEmpty();
    }

    @Test
    void ranksThatDifferedBeforeAreToldOnce() {
        List<RankEpoch> results = epoch(2, 3, Set.of(1));

        assertThat(ReplicaDifferences.afterEpoch(results, epoch(2, 3, Set.of(1)), RANKS)).isEmpty();
        assertThat(ReplicaDifferences.afterEpoch(results, epoch(2, 3, Set.of(1, 2)), RANKS))
                .isPresent();
        assertThat(ReplicaDifferences.afterEpoch(results, epoch(1, 3, Set.of(1)), RANKS))
                .as("other workers")
                .isPresent();
    }

    @Test
    void noteNamesEightRanksAtMost() {
        Set<Integer> all = Set.copyOf(IntStream.range(1, 12).boxed().toList());

        assertThat(ReplicaDifferences.afterEpoch(epoch(1, 12, all), List.of(), RANKS).orElseThrow())
                .contains("; rank 8 is ")
                .endsWith("; and 3 more");
    }

    @Test
    void generationBeginsWithTheWeightsOfTheFirstRank() {
        assertThat(ReplicaDifferences.atStart(List.of(RANKS.getFirst(), replaced(1)), List.of()))
                .hasValue(
                        "all ranks begin with the weights of rank 0 on w0 (AVX512_CORE): rank 1 on w1 was 2.00 away, 0.250 of the norm");
        assertThat(ReplicaDifferences.atStart(RANKS, epoch(1, 2, Set.of(1))))
                .hasValue(
                        "all ranks begin with the weights of rank 0: rank 1 was 1.00e-06 away, 1.00e-07 of the norm");
    }
}
