package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.experiment.CandidateConfigurations;
import dev.equipoise.app.experiment.Definition;
import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.plan.Ranking.Ranked;
import dev.equipoise.performance.statistics.TieGroups;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Partitioning.Hybrid;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RankingTest {

    private static final long AMPLE = 1L << 40;
    private static final Execution.Link FAST = new Execution.Link(10, 10_000);
    private static final Execution.Link SLOW = new Execution.Link(1000, 0.5);

    private static CandidateWorker worker(int number, double samplesPerSecond, long memory) {
        String name = "worker-" + number;
        return CandidateWorker.specified(
                CandidateWorkers.imagined(number, name, "host of " + name, memory),
                TestingPlans.stepTime(samplesPerSecond));
    }

    private static CandidateWorkers candidates(Execution.Link link, double... samplesPerSecond) {
        List<CandidateWorker> workers = new ArrayList<>();
        for (double speed : samplesPerSecond) {
            workers.add(worker(workers.size(), speed, AMPLE));
        }
        return new CandidateWorkers(workers, new LinkModel.Specified(link), List.of());
    }

    private static Ranking rank(String definition, CandidateWorkers candidates) {
        return rank(definition, candidates, _ -> Optional.empty());
    }

    private static Ranking rank(
            String definition,
            CandidateWorkers candidates,
            Function<RunConfiguration, Optional<EpochsToAccuracy>> learning) {
        ObjectNode node = (ObjectNode) TestingPlans.yaml(definition);
        return Ranking.of(
                Definition.read(node).configurations(),
                Optional.of(
                        new CandidateConfigurations(
                                node, EnumSet.allOf(Choice.class), candidates.workers().size())),
                _ -> candidates,
                new BiasCorrection(List.of()),
                learning);
    }

    private static Ranked own(Ranking ranking) {
        return ranking.entries().stream().filter(Ranked::own).findFirst().orElseThrow();
    }

    private static Ranked first(Ranking ranking, Predicate<RunConfiguration> wanted) {
        return ranking.entries().stream()
                .filter(it -> wanted.test(it.configuration()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isBspRing(RunConfiguration configuration) {
        return configuration.synchronization() instanceof Synchronization.Bsp
                && configuration.topology() instanceof Topology.AllReduce(var algorithm, var _)
                && algorithm == Topology.Algorithm.RING;
    }

    @Test
    void singleWorkerIsBestOverSlowLinks() {
        Ranking ranking = rank(TestingPlans.REAL, candidates(SLOW, 1000, 1000, 1000, 1000));

        Ranked best = ranking.entries().getFirst();
        assertThat(best.configuration().ranks()).isEqualTo(1);
        assertThat(best.epochSeconds()).isEqualTo(4, within(1e-9));
        assertThat(PlanExplanation.advice(ranking.ties().getFirst()))
                .isEqualTo(
                        "Fastest epoch: one worker alone, worker-0, 4.000 s (expected between 3.636 s"
                                + " and 4.400 s). Only epoch times are ranked, as epochs to accuracy"
                                + " are unknown.");
        assertThat(PlanExplanation.reason(own(ranking)))
                .matches(
                        "communication is 100 % of a round: a ring over 4 workers moves 10\\.35 MB;"
                                + " one worker alone is faster: 4\\.000 s an epoch instead of"
                                + " 51\\d\\.\\d s");
    }

    /** Each worker has 1000 samples/s alone, and 600 when its co-located worker computes. */
    @Test
    void speedsDependOnCoLocatedReplicas() {
        List<CandidateWorker> workers = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            workers.add(
                    CandidateWorker.measured(
                            CandidateWorkers.imagined(number, "worker-" + number, "shared", AMPLE),
                            Map.of(
                                    HostLoad.ALONE,
                                    TestingPlans.stepTime(1000),
                                    new HostLoad(200),
                                    TestingPlans.stepTime(600))));
        }

        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2"),
                        new CandidateWorkers(workers, new LinkModel.Specified(FAST), List.of()));

        assertThat(first(ranking, it -> it.ranks() == 1).epochSeconds()).isEqualTo(4, within(1e-9));
        assertThat(own(ranking).forecast().prediction().computeSeconds())
                .isEqualTo(2000 / 600.0, within(1e-9));
    }

    @Test
    void allWorkersAreUsedOverFastLinks() {
        Ranked best =
                rank(TestingPlans.REAL, candidates(FAST, 1000, 1000, 1000)).entries().getFirst();

        assertThat(best.configuration().workers().replicas()).isEqualTo(3);
        assertThat(best.epochSeconds()).isLessThan(1.5);
        assertThat(PlanExplanation.reason(best)).contains("times as fast as one worker alone");
    }

    @Test
    void waitingWorkerIsNamedAndFunctionalSharesRemoveTheWait() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2"),
                        candidates(FAST, 1000, 500));

        assertThat(PlanExplanation.reason(own(ranking)))
                .contains("worker-0 would wait 49 % of each round");
        Ranked functional =
                first(
                        ranking,
                        it ->
                                isBspRing(it)
                                        && it.partitioning() instanceof Partitioning.Functional);
        assertThat(functional.shares()).containsExactly(2667, 1333);
        assertThat(PlanExplanation.reason(functional)).doesNotContain("would wait");
        assertThat(functional.epochSeconds()).isLessThan(own(ranking).epochSeconds());
    }

    @Test
    void fastestWorkersTrainAndNextFastestServes() {
        Ranked served =
                first(
                        rank(TestingPlans.REAL, candidates(FAST, 300, 1000, 500, 100)),
                        it ->
                                it.topology() instanceof Topology.ParameterServer
                                        && it.workers().replicas() == 2);

        assertThat(served.candidate().candidateWorkers())
                .extracting(CandidateWorker::name)
                .containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(served.shares().getFirst()).isZero();
    }

    @Test
    void submittedConfigurationRunsOnOldestWorkers() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 1"),
                        candidates(FAST, 100, 1000));

        assertThat(own(ranking).candidate().candidateWorker(0).name()).isEqualTo("worker-0");
        assertThat(ranking.entries().getFirst().configuration().workers().replicas()).isEqualTo(2);
    }

    @Test
    void workerWithTooLittleMemoryIsExcluded() {
        List<CandidateWorker> workers = List.of(worker(0, 1000, AMPLE), worker(1, 1000, 1_000_000));

        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2"),
                        new CandidateWorkers(workers, new LinkModel.Specified(FAST), List.of()));

        assertThat(ranking.entries())
                .filteredOn(it -> !it.own())
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it.candidate().candidateWorkers()).hasSize(1));
        assertThat(ranking.leftOut())
                .containsExactly(
                        "worker worker-1: a replica needs about 20 MB, and worker-1 has 1 MB, half"
                                + " of it for training");
    }

    @Test
    void batchEfficiencyIsListedWithBetterChoices() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace(
                                "replicas: 4",
                                "replicas: 3}\npartitioning: {kind: batch-counts, counts: [1, 1, 1]"),
                        candidates(FAST, 1000, 1000, 2310));

        List<Plan.Counts> counts = Plan.Counts.of(own(ranking));
        assertThat(counts.getFirst().counts()).containsExactly(1, 1, 1);
        assertThat(counts.getFirst().efficiency()).isCloseTo(3 / 4.31, within(1e-9));
        assertThat(counts.getLast().efficiency()).isCloseTo(9 / (5 / 2.31 * 4.31), within(1e-9));
        assertThat(PlanExplanation.reason(own(ranking)))
                .contains("[1, 1, 1] mini-batches a round keep 70 % of the replicas busy; ");
    }

    @Test
    void tooFewWorkersExcludeTheConfiguration() {
        Ranking ranking = rank(TestingPlans.REAL, candidates(FAST, 1000));

        assertThat(ranking.entries()).noneMatch(Ranked::own);
        assertThat(ranking.leftOut())
                .containsExactly(
                        "bsp over all-reduce ring, equal shares, 4 replicas: it needs 4 workers, and"
                                + " 1 have known speeds");
    }

    /** Local SGD needs more additional epochs here than its shorter epochs save. */
    @Test
    void fastestToTheTargetIsFirst() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL,
                        candidates(new Execution.Link(100, 100), 1000, 1000, 1000, 1000),
                        wanted ->
                                wanted.synchronization() instanceof Synchronization.Bsp
                                        ? Optional.of(new EpochsToAccuracy(2, 2, 2, 3, 0, 4))
                                        : wanted.synchronization()
                                                        instanceof Synchronization.LocalSgd
                                                ? Optional.of(
                                                        new EpochsToAccuracy(9, 9, 9, 1, 1, 2))
                                                : Optional.empty());

        Ranked best = ranking.entries().getFirst();
        assertThat(best.configuration().synchronization()).isInstanceOf(Synchronization.Bsp.class);
        assertThat(best.secondsToTarget()).isEqualTo(2 * best.epochSeconds());
        Ranked seldom =
                first(
                        ranking,
                        it ->
                                it.synchronization() instanceof Synchronization.LocalSgd
                                        && it.workers().replicas() == 4);
        assertThat(seldom.epochSeconds()).isLessThan(best.epochSeconds());
        assertThat(PlanExplanation.reason(seldom))
                .endsWith(
                        "1 earlier runs with 2 replicas, the closest number, reached the target in"
                                + " 9.0 epochs, 1 did not");
        assertThat(PlanExplanation.caveats(seldom))
                .contains("its epochs to the target are those of a single earlier run");
        assertThat(ranking.entries().getLast().secondsToTarget()).isNull();
        assertThat(ranking.ties())
                .allSatisfy(tie ->
                        assertThat(tie)
                                .extracting(it -> it.learning().isPresent())
                                .containsOnly(tie.getFirst().learning().isPresent()));
    }

    /** Predictions without earlier runs are uncertain by a tenth at least. */
    @Test
    void predictionsWithinTheirUncertaintyAreOneTieGroup() {
        Ranking ranking = rank(TestingPlans.REAL, candidates(FAST, 1000, 1000, 1000, 1000));

        List<Ranked> tied = ranking.ties().getFirst();
        Ranked first = tied.getFirst();
        assertThat(tied).hasSizeGreaterThan(5);
        assertThat(tied)
                .allSatisfy(it ->
                        assertThat(it.epochInterval().low())
                                .isLessThanOrEqualTo(first.epochInterval().high()));
        assertThat(ranking.ties().get(1).getFirst().epochInterval().low())
                .isGreaterThan(first.epochInterval().high());
        assertThat(ranking.best(ranking.entries().size()).get(tied.size()).tie()).isEqualTo(2);
        assertThat(PlanExplanation.advice(tied))
                .startsWith(
                        tied.size()
                                + " configurations tie for the fastest epoch, from "
                                + PlanExplanation.seconds(first.epochSeconds())
                                + " to ")
                .contains(
                        " (expected between "
                                + PlanExplanation.seconds(first.epochInterval().low())
                                + " and ",
                        "Only epoch times are ranked, as epochs to accuracy are unknown.");
    }

    /** Earlier runs needed two to six epochs. */
    @Test
    void timeToTheTargetIncludesTheScatterOfEarlierRuns() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL,
                        candidates(FAST, 1000),
                        _ -> Optional.of(new EpochsToAccuracy(3, 2, 6, 5, 0, 1)));

        Ranked alone = first(ranking, it -> it.ranks() == 1);
        TieGroups.Interval interval = Objects.requireNonNull(alone.targetInterval());
        assertThat(interval.low()).isEqualTo(2 * alone.epochInterval().low(), within(1e-9));
        assertThat(interval.high()).isEqualTo(6 * alone.epochInterval().high(), within(1e-9));
    }

    /** The only profile has both co-located workers at 600 samples/s. */
    @Test
    void speedUnderOtherHostLoadIsACaveat() {
        List<CandidateWorker> workers = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            workers.add(
                    CandidateWorker.measured(
                            CandidateWorkers.imagined(number, "worker-" + number, "shared", AMPLE),
                            Map.of(new HostLoad(200), TestingPlans.stepTime(600))));
        }

        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2"),
                        new CandidateWorkers(workers, new LinkModel.Specified(FAST), List.of()));

        Ranked alone = first(ranking, it -> it.ranks() == 1);
        assertThat(PlanExplanation.caveats(alone))
                .contains(
                        "some speeds were measured with more or fewer busy co-located workers than the"
                                + " run would have");
        assertThat(alone.forecast().prediction().uncertainty())
                .as("host loads of 200 and 100 percent")
                .isEqualTo(0.1 + 0.5 * 0.5, within(1e-9));
        assertThat(PlanExplanation.uncertainty(alone)).startsWith("; uncertain by 35 %, as ");
        assertThat(PlanExplanation.caveats(own(ranking)))
                .noneMatch(it -> it.contains("co-located workers"));
    }

    /** The fastest worker has memory for no sample. */
    @Test
    void alternativesSkipWorkersWithTooLittleMemory() {
        CandidateWorkers candidates =
                new CandidateWorkers(
                        List.of(worker(0, 1000, 1), worker(1, 500, AMPLE), worker(2, 400, AMPLE)),
                        new LinkModel.Specified(FAST),
                        List.of());

        Ranking ranking = rank(TestingPlans.REAL.replace("replicas: 4", "replicas: 2"), candidates);

        assertThat(ranking.entries())
                .filteredOn(it -> !it.own() && it.configuration().ranks() == 2)
                .isNotEmpty()
                .allSatisfy(it ->
                        assertThat(it.candidate().candidateWorkers())
                                .extracting(CandidateWorker::name)
                                .containsExactly("worker-1", "worker-2"));
        assertThat(PlanExplanation.caveats(own(ranking)))
                .as("it would be placed in spite of the shortage")
                .anyMatch(it ->
                        it.matches("a replica needs about \\d+ MB, and worker-0 has 0 MB, .*"));
        assertThat(ranking.leftOut()).anyMatch(it -> it.startsWith("worker worker-0: "));
    }

    /** The exact ratio would be 100 to 1, and the limit is 8 mini-batches. */
    @Test
    void automaticBatchCountsRespectTheLimitForUnequalWorkers() {
        CandidateWorkers candidates =
                new CandidateWorkers(
                        List.of(worker(0, 10, AMPLE), worker(1, 1000, AMPLE)),
                        new LinkModel.Specified(FAST),
                        List.of());

        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2")
                                + "synchronization: async\n"
                                + "partitioning: {kind: batch-counts, counts: auto}\n",
                        candidates);

        assertThat(ranking.entries())
                .extracting(it -> it.configuration().partitioning())
                .contains(new Partitioning.BatchCounts(List.of(7, 1)));
    }

    /** The definition specifies 1010, 1000 and 2310 samples/s. */
    @Test
    void automaticBatchCountsOfVirtualRunFollowSpecifiedSpeeds() {
        RunConfiguration open =
                TestingPlans.configuration(
                        TestingPlans.VIRTUAL
                                .replace("replicas: 4", "replicas: 3")
                                .replace(
                                        "samplesPerSecond: 1000",
                                        "samplesPerSecond: [1010, 1000, 2310]"),
                        "synchronization: async",
                        "partitioning: {kind: batch-counts, counts: auto}");

        Ranking ranking =
                Ranking.of(
                        List.of(),
                        CandidateConfigurations.of(open, 3),
                        CandidateWorkers::ofAnyWorker,
                        new BiasCorrection(List.of()),
                        _ -> Optional.empty());

        assertThat(ranking.entries())
                .extracting(it -> it.configuration().partitioning())
                .containsExactly(new Partitioning.BatchCounts(List.of(2, 2, 5)));
    }

    /** Eight ranks have four group formations; the definition takes the best of them. */
    @Test
    void allGroupFormationsAreRanked() {
        ObjectNode node =
                (ObjectNode)
                        TestingPlans.yaml(
                                """
                                apiVersion: equipoise/v1
                                name: shared
                                dataset: { name: nettalk, limit: 1300 }
                                network: { preset: mlp-203-100-26 }
                                training: { epochs: 1, batchSize: 13, loss: { kind: squared-error } }
                                workers: { replicas: 8 }
                                partitioning: hybrid
                                """);
        List<CandidateWorker> workers = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            workers.add(worker(number, number == 0 ? 50 : 100, AMPLE));
        }

        Ranking ranking =
                Ranking.of(
                        Definition.read(node).configurations(),
                        Optional.of(
                                new CandidateConfigurations(
                                        node, EnumSet.of(Choice.PARTITIONING), 8)),
                        _ ->
                                new CandidateWorkers(
                                        workers, new LinkModel.Specified(SLOW), List.of()),
                        new BiasCorrection(List.of()),
                        _ -> Optional.empty());

        List<Ranked> shared =
                ranking.entries().stream()
                        .filter(it -> it.configuration().partitioning() instanceof Hybrid)
                        .toList();
        assertThat(shared)
                .extracting(it -> ((Hybrid) it.configuration().partitioning()).nodeParallel())
                .containsExactlyInAnyOrder(null, 1, 2, 4, 8);
        assertThat(own(ranking).epochSeconds())
                .isEqualTo(shared.getFirst().epochSeconds(), within(1e-12));
        assertThat(own(ranking).forecast().ranks()).hasSize(8);
        assertThat(own(ranking).shares().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(1300);
        assertThat(PlanExplanation.reason(own(ranking))).startsWith("communication is ");
    }

    /** The definition specifies speeds and links, and each number of replicas up to its own. */
    @Test
    void virtualRunIsRanked() {
        RunConfiguration wanted = TestingPlans.configuration(TestingPlans.VIRTUAL);
        ObjectNode node = (ObjectNode) TestingPlans.yaml(TestingPlans.VIRTUAL);

        Ranking ranking =
                Ranking.of(
                        List.of(wanted),
                        Optional.of(
                                new CandidateConfigurations(node, EnumSet.allOf(Choice.class), 4)),
                        CandidateWorkers::ofAnyWorker,
                        new BiasCorrection(List.of()),
                        _ -> Optional.empty());

        assertThat(own(ranking).epochSeconds()).isBetween(3.5, 3.7);
        assertThat(ranking.entries())
                .extracting(it -> it.configuration().workers().replicas())
                .contains(1, 2, 3, 4);
    }
}
