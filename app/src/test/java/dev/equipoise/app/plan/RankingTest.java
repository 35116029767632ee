package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.experiment.Alternatives;
import dev.equipoise.app.experiment.Alternatives.Choice;
import dev.equipoise.app.experiment.Definition;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Ranking.Ranked;
import dev.equipoise.app.profile.Load;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Partitioning.Hybrid;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RankingTest {

    private static final long ROOMY = 1L << 40;
    private static final Execution.Link FAST = new Execution.Link(10, 10_000);
    private static final Execution.Link SLOW = new Execution.Link(1000, 0.5);

    private static Hand hand(int number, double samplesPerSecond, long memory) {
        String name = "worker-" + number;
        return Hand.told(
                Bench.imagined(number, name, "host of " + name, memory),
                TestingPlans.pace(samplesPerSecond));
    }

    private static Bench bench(Execution.Link link, double... samplesPerSecond) {
        List<Hand> hands = new ArrayList<>();
        for (double speed : samplesPerSecond) {
            hands.add(hand(hands.size(), speed, ROOMY));
        }
        return new Bench(hands, new Network.Told(link), List.of());
    }

    private static Ranking rank(String definition, Bench bench) {
        return rank(definition, bench, _ -> Optional.empty());
    }

    private static Ranking rank(
            String definition,
            Bench bench,
            Function<RunConfiguration, Optional<Learning>> learning) {
        ObjectNode node = (ObjectNode) TestingPlans.yaml(definition);
        return Ranking.of(
                Definition.read(node).configurations(),
                Optional.of(
                        new Alternatives(node, EnumSet.allOf(Choice.class), bench.hands().size())),
                _ -> bench,
                new Calibration(List.of()),
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
    void whereLinksAreSlowOneWorkerAloneIsFasterAndThatIsSaid() {
        Ranking ranking = rank(TestingPlans.REAL, bench(SLOW, 1000, 1000, 1000, 1000));

        Ranked best = ranking.entries().getFirst();
        assertThat(best.configuration().ranks()).isEqualTo(1);
        assertThat(best.epochSeconds()).isEqualTo(4, within(1e-9));
        assertThat(Wording.advice(best))
                .isEqualTo("One worker alone, worker-0, is best: 4.000 s an epoch.");
        assertThat(Wording.reason(own(ranking)))
                .matches(
                        "communication is 100 % of a round: a ring over 4 workers moves 10\\.35 MB;"
                                + " one worker alone is faster: 4\\.000 s an epoch instead of"
                                + " 51\\d\\.\\d s");
    }

    /** 1000 samples a second alone, 600 each when both workers of the machine compute. */
    @Test
    void workersOfOneMachineAreAsFastAsTheCompanyTheyWouldHave() {
        List<Hand> hands = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            hands.add(
                    Hand.measured(
                            Bench.imagined(number, "worker-" + number, "shared", ROOMY),
                            Map.of(
                                    Load.ALONE,
                                    TestingPlans.pace(1000),
                                    new Load(200),
                                    TestingPlans.pace(600))));
        }

        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2"),
                        new Bench(hands, new Network.Told(FAST), List.of()));

        assertThat(first(ranking, it -> it.ranks() == 1).epochSeconds()).isEqualTo(4, within(1e-9));
        assertThat(own(ranking).forecast().prediction().computeSeconds())
                .isEqualTo(2000 / 600.0, within(1e-9));
    }

    @Test
    void whereLinksAreFastAllWorkersAreTaken() {
        Ranked best = rank(TestingPlans.REAL, bench(FAST, 1000, 1000, 1000)).entries().getFirst();

        assertThat(best.configuration().workers().replicas()).isEqualTo(3);
        assertThat(best.epochSeconds()).isLessThan(1.5);
        assertThat(Wording.reason(best)).contains("times as fast as one worker alone");
    }

    @Test
    void whoWaitsIsNamedAndFunctionalSharesEndIt() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2"),
                        bench(FAST, 1000, 500));

        assertThat(Wording.reason(own(ranking))).contains("worker-0 would wait 49 % of each round");
        Ranked functional =
                first(
                        ranking,
                        it ->
                                isBspRing(it)
                                        && it.partitioning() instanceof Partitioning.Functional);
        assertThat(functional.shares()).containsExactly(2667, 1333);
        assertThat(Wording.reason(functional)).doesNotContain("would wait");
        assertThat(functional.epochSeconds()).isLessThan(own(ranking).epochSeconds());
    }

    @Test
    void theFastestTrainAndOneOfTheOthersServes() {
        Ranked served =
                first(
                        rank(TestingPlans.REAL, bench(FAST, 300, 1000, 500, 100)),
                        it ->
                                it.topology() instanceof Topology.ParameterServer
                                        && it.workers().replicas() == 2);

        assertThat(served.crew().hands())
                .extracting(Hand::name)
                .containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(served.shares().getFirst()).isZero();
    }

    @Test
    void whatTheDefinitionSaysGoesToTheOldestAsItWouldBePlaced() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 1"),
                        bench(FAST, 100, 1000));

        assertThat(own(ranking).crew().hand(0).name()).isEqualTo("worker-0");
        assertThat(ranking.entries().getFirst().configuration().workers().replicas()).isEqualTo(2);
    }

    @Test
    void aWorkerWithTooLittleMemoryLeavesItOut() {
        List<Hand> hands = List.of(hand(0, 1000, ROOMY), hand(1, 1000, 1_000_000));

        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2"),
                        new Bench(hands, new Network.Told(FAST), List.of()));

        assertThat(ranking.entries())
                .filteredOn(it -> !it.own())
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it.crew().hands()).hasSize(1));
        assertThat(ranking.leftOut())
                .containsExactly(
                        "worker worker-1: a replica takes about 20 MB, and worker-1 has 1, half of"
                                + " it for that");
    }

    @Test
    void theEfficiencyOfBatchCountsIsToldBesideThatOfBetterOnes() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace(
                                "replicas: 4",
                                "replicas: 3}\npartitioning: {kind: batch-counts, counts: [1, 1, 1]"),
                        bench(FAST, 1000, 1000, 2310));

        List<Plan.Counts> counts = Plan.Counts.of(own(ranking));
        assertThat(counts.getFirst().counts()).containsExactly(1, 1, 1);
        assertThat(counts.getFirst().efficiency()).isCloseTo(3 / 4.31, within(1e-9));
        assertThat(counts.getLast().efficiency()).isCloseTo(9 / (5 / 2.31 * 4.31), within(1e-9));
        assertThat(Wording.reason(own(ranking)))
                .contains("[1, 1, 1] mini-batches a round keep 70 % of the replicas busy; ");
    }

    @Test
    void tooFewWorkersAreToldOf() {
        Ranking ranking = rank(TestingPlans.REAL, bench(FAST, 1000));

        assertThat(ranking.entries()).noneMatch(Ranked::own);
        assertThat(ranking.leftOut())
                .containsExactly(
                        "bsp over all-reduce ring, equal shares, 4 replicas: it wants 4 workers, and"
                                + " 1 are known well enough");
    }

    /** Agreeing seldom takes more epochs here than it saves time. */
    @Test
    void whatIsKnownToReachTheTargetSoonestIsFirst() {
        Ranking ranking =
                rank(
                        TestingPlans.REAL,
                        bench(new Execution.Link(100, 100), 1000, 1000, 1000, 1000),
                        wanted ->
                                wanted.synchronization() instanceof Synchronization.Bsp
                                        ? Optional.of(new Learning(2, 3, 0, 4))
                                        : wanted.synchronization()
                                                        instanceof Synchronization.LocalSgd
                                                ? Optional.of(new Learning(9, 1, 1, 2))
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
        assertThat(Wording.reason(seldom))
                .endsWith(
                        "1 earlier runs with 2 replicas, the nearest there are, reached the target in"
                                + " 9.0 epochs, 1 did not");
        assertThat(ranking.entries().getLast().secondsToTarget()).isNull();
    }

    /** 600 each beside one another is all that was measured. */
    @Test
    void aSpeedUnderAnotherLoadIsADoubt() {
        List<Hand> hands = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            hands.add(
                    Hand.measured(
                            Bench.imagined(number, "worker-" + number, "shared", ROOMY),
                            Map.of(new Load(200), TestingPlans.pace(600))));
        }

        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2"),
                        new Bench(hands, new Network.Told(FAST), List.of()));

        Ranked alone = first(ranking, it -> it.ranks() == 1);
        assertThat(Wording.doubts(alone))
                .contains(
                        "some speeds were measured while more or fewer workers of their machine"
                                + " computed than would");
        assertThat(alone.forecast().prediction().uncertainty())
                .as("loads of 200 and of 100")
                .isEqualTo(0.1 + 0.5 * 0.5, within(1e-9));
        assertThat(Wording.inDoubt(alone)).startsWith("; uncertain by 35 %, as ");
        assertThat(Wording.doubts(own(ranking))).noneMatch(it -> it.contains("computed than"));
    }

    /** The fastest has memory for nothing. */
    @Test
    void whoHasTooLittleMemoryIsPassedOverForTheNext() {
        Bench bench =
                new Bench(
                        List.of(hand(0, 1000, 1), hand(1, 500, ROOMY), hand(2, 400, ROOMY)),
                        new Network.Told(FAST),
                        List.of());

        Ranking ranking = rank(TestingPlans.REAL.replace("replicas: 4", "replicas: 2"), bench);

        assertThat(ranking.entries())
                .filteredOn(it -> !it.own() && it.configuration().ranks() == 2)
                .isNotEmpty()
                .allSatisfy(it ->
                        assertThat(it.crew().hands())
                                .extracting(Hand::name)
                                .containsExactly("worker-1", "worker-2"));
        assertThat(Wording.doubts(own(ranking)))
                .as("it would be placed as it says")
                .anyMatch(
                        it -> it.matches("a replica takes about \\d+ MB, and worker-0 has 0, .*"));
        assertThat(ranking.leftOut()).anyMatch(it -> it.startsWith("worker worker-0: "));
    }

    /** One mini-batch for the slow one are a hundred for the other, and there may be eight. */
    @Test
    void countsThatAreLeftOpenAreFoundHoweverUnequalTheWorkers() {
        Bench bench =
                new Bench(
                        List.of(hand(0, 10, ROOMY), hand(1, 1000, ROOMY)),
                        new Network.Told(FAST),
                        List.of());

        Ranking ranking =
                rank(
                        TestingPlans.REAL.replace("replicas: 4", "replicas: 2")
                                + "synchronization: async\n"
                                + "partitioning: {kind: batch-counts, counts: auto}\n",
                        bench);

        assertThat(ranking.entries())
                .extracting(it -> it.configuration().partitioning())
                .contains(new Partitioning.BatchCounts(List.of(7, 1)));
    }

    /** 1010, 1000 and 2310 samples a second, as the definition tells. */
    @Test
    void countsOfAVirtualLabThatAreLeftOpenFollowTheSpeedsThatAreTold() {
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
                        open.alternatives(3),
                        Bench::ofAnyWorker,
                        new Calibration(List.of()),
                        _ -> Optional.empty());

        assertThat(ranking.entries())
                .extracting(it -> it.configuration().partitioning())
                .containsExactly(new Partitioning.BatchCounts(List.of(2, 2, 5)));
    }

    /** Four ways to form groups of eight, and the best of them, which the definition takes. */
    @Test
    void everyWayToShareHiddenUnitsIsRanked() {
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
        List<Hand> hands = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            hands.add(hand(number, number == 0 ? 50 : 100, ROOMY));
        }

        Ranking ranking =
                Ranking.of(
                        Definition.read(node).configurations(),
                        Optional.of(new Alternatives(node, EnumSet.of(Choice.PARTITIONING), 8)),
                        _ -> new Bench(hands, new Network.Told(SLOW), List.of()),
                        new Calibration(List.of()),
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
        assertThat(Wording.reason(own(ranking))).startsWith("communication is ");
    }

    /** Its speeds and links are told; there are as many sizes as it has replicas. */
    @Test
    void aVirtualLabIsRankedAsWell() {
        RunConfiguration wanted = TestingPlans.configuration(TestingPlans.VIRTUAL);
        ObjectNode node = (ObjectNode) TestingPlans.yaml(TestingPlans.VIRTUAL);

        Ranking ranking =
                Ranking.of(
                        List.of(wanted),
                        Optional.of(new Alternatives(node, EnumSet.allOf(Choice.class), 4)),
                        Bench::ofAnyWorker,
                        new Calibration(List.of()),
                        _ -> Optional.empty());

        assertThat(own(ranking).epochSeconds()).isBetween(3.5, 3.7);
        assertThat(ranking.entries())
                .extracting(it -> it.configuration().workers().replicas())
                .contains(1, 2, 3, 4);
    }
}
