package dev.equipoise.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Execution.Point;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.PhasesElapsed;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationClockTest {

    private static final int CLASSES = 3;
    private static final int SAMPLES = 48;
    private static final int ROUNDS = 4;
    private static final Architecture NETWORK =
            new Architecture(
                    "tiny",
                    new Shape.Image(5, 5, 1),
                    List.of(new Layer.Flatten(), new Layer.Dense(CLASSES)));

    private static TrainingPlan plan(
            EpochDivision division, Execution execution, LinkLimit... limits) {
        TrainingPlan plan =
                TestingPlan.of(
                        new DatasetSpec.Synthetic(List.of(5, 5, 1), CLASSES, SAMPLES, 1, SAMPLES),
                        NETWORK,
                        new OptimizerSpec.Sgd(0.1),
                        division);
        return TestingPlan.limited(TestingPlan.on(plan, execution), List.of(limits));
    }

    private static Execution virtual(Speed... speeds) {
        return new Execution.Virtual(List.of(speeds), 0, new Execution.Link(100, 100));
    }

    private static List<EpochFinished> epochs(TrainingPlan plan) throws InterruptedException {
        List<RunReport> events = new ArrayList<>();
        TestingSimulation.run(plan, events::add);
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .toList();
    }

    /** Evaluations exchange as well, but a virtual run shows no time for them. */
    @Test
    void virtualRanksHaveNoRunPhaseButTraining() throws Exception {
        List<RunReport> events = new ArrayList<>();
        EpochDivision division = EpochDivision.of(List.of(24, 24), ROUNDS);
        TrainingPlan plan = TestingPlan.with(plan(division, virtual(Speed.of(1000))), 3);

        TestingSimulation.run(plan, events::add);

        for (int rank = 0; rank < 2; rank++) {
            int ofRank = rank;
            double trained =
                    events.stream()
                            .filter(EpochFinished.class::isInstance)
                            .map(EpochFinished.class::cast)
                            .filter(it -> it.rank() == ofRank)
                            .mapToDouble(EpochFinished::wallSeconds)
                            .sum();
            PhasesElapsed last =
                    events.stream()
                            .filter(PhasesElapsed.class::isInstance)
                            .map(PhasesElapsed.class::cast)
                            .filter(it -> it.rank() == ofRank)
                            .toList()
                            .getLast();
            assertThat(last.elapsedSeconds()).isCloseTo(trained, within(1e-9));
            assertThat(last.phases()).isEqualTo(RunPhases.ofTraining(last.elapsedSeconds()));
        }
    }

    private static double wallSeconds(LinkLimit... limits) throws InterruptedException {
        EpochDivision division = EpochDivision.of(List.of(16, 16, 16), ROUNDS);
        return epochs(plan(division, virtual(Speed.of(1000)), limits)).getFirst().wallSeconds();
    }

    /** Times of four rounds of four samples each, by speed, slowdown and samples. */
    @Test
    void computingTakesTheModeledTimeTimesTheSlowdown() throws Exception {
        var division =
                new EpochDivision(
                        List.of(16, 16, 16), ROUNDS, List.of(1, 1, 1), List.of(1.0, 2.5, 1.0));

        List<EpochFinished> epochs =
                epochs(plan(division, virtual(Speed.of(100), Speed.of(200), Speed.of(400))));

        for (EpochFinished epoch : epochs) {
            assertThat(epoch.phases().computeSeconds())
                    .isCloseTo(List.of(0.16, 0.2, 0.04).get(epoch.rank()), within(1e-9));
        }
    }

    /** A mini-batch costs 1 ms, plus 1 ms for each sample. */
    @Test
    void everyMiniBatchOfARoundTakesItsOwnTime() throws Exception {
        var speed = new Speed(List.of(new Point(1, 0.002), new Point(2, 0.003)));
        var division = new EpochDivision(List.of(24, 24), ROUNDS, List.of(1, 3), List.of(1.0, 1.0));

        for (EpochFinished epoch : epochs(plan(division, virtual(speed)))) {
            int batches = epoch.rank() == 0 ? 1 : 3;
            assertThat(epoch.phases().computeSeconds())
                    .isCloseTo(ROUNDS * (0.006 + 0.001 * batches), within(1e-9));
        }
    }

    @Test
    void limitOfALinkOverridesTheGeneralOneInAnyOrder() throws Exception {
        var named = new LinkLimit(List.of(0, 1), null, 20);
        var all = new LinkLimit(null, null, 1);

        double namedFirst = wallSeconds(named, all);

        assertThat(wallSeconds(all, named)).isEqualTo(namedFirst);
        assertThat(namedFirst).isGreaterThan(wallSeconds(all) + ROUNDS * 0.019);
        assertThat(wallSeconds(all)).isGreaterThan(wallSeconds());
    }

    @Test
    void runIsRepeatableToTheBit() throws Exception {
        var division = EpochDivision.of(List.of(24, 24), ROUNDS);
        Execution execution =
                new Execution.Virtual(List.of(Speed.of(100)), 0.5, new Execution.Link(100, 10));

        assertThat(epochs(plan(division, execution))).isEqualTo(epochs(plan(division, execution)));
    }
}
