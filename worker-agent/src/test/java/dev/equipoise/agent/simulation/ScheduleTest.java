package dev.equipoise.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that the learning rate of asynchronous methods follows the samples of all replicas: each
 * epoch halves it, however many sums or steps the epoch has.
 */
class ScheduleTest {

    private static final int ROUNDS = 8;
    private static final double RATE = 0.1;

    private static final Architecture NETWORK =
            new Architecture(
                    "tiny",
                    new Shape.Image(6, 6, 1),
                    List.of(new Layer.Flatten(), new Layer.Dense(8), new Layer.Dense(4)));

    private static final OptimizerSpec HALVED =
            new OptimizerSpec.Sgd(
                    RATE, 0, false, new Schedule.Step(1, 0.5, 0), new Clipping.None());

    private static List<EpochFinished> train(
            Synchronization synchronization, Topology topology, List<Integer> shares)
            throws InterruptedException {
        int samples = shares.stream().mapToInt(Integer::intValue).sum();
        var method = new Method(synchronization, topology, new Compression.None());
        // A sum takes several rounds over this link.
        var link =
                new Execution.Virtual(
                        List.of(Execution.Speed.of(1e5)), 0.1, new Execution.Link(1000, 1));
        TrainingPlan plan =
                TestingPlan.with(
                        TestingPlan.with(
                                TestingPlan.with(
                                        TestingPlan.of(
                                                new DatasetSpec.Synthetic(
                                                        List.of(6, 6, 1), 4, samples, 1, samples),
                                                NETWORK,
                                                HALVED,
                                                EpochDivision.of(shares, ROUNDS)),
                                        method),
                                3),
                        link);
        List<RunReport> events = new ArrayList<>();
        TestingSimulation.run(plan, events::add);
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .toList();
    }

    private static void assertHalvedByEpoch(List<EpochFinished> epochs) {
        assertThat(epochs)
                .isNotEmpty()
                .allSatisfy(epoch ->
                        assertThat(epoch.updates().learningRate())
                                .as("epoch %d of rank %d", epoch.epoch(), epoch.rank())
                                .isCloseTo(RATE * Math.pow(0.5, epoch.epoch() - 1), within(1e-9)));
    }

    @Test
    void overlappedSumsFollowTheirSamples() throws Exception {
        List<EpochFinished> epochs =
                train(
                        new Synchronization.Async(
                                8, Weighting.WEIGHTED, new StalenessCorrection.None()),
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        List.of(96, 64, 32));

        assertThat(epochs)
                .allSatisfy(epoch -> assertThat(epoch.updates().steps()).isLessThan(ROUNDS));
        assertHalvedByEpoch(epochs);
    }

    /** Dropped gradients are no steps, and empty rounds have none. */
    @Test
    void serversFollowTheSamplesOfAllReplicas() throws Exception {
        List<EpochFinished> epochs =
                train(
                        new Synchronization.Async(
                                null, Weighting.WEIGHTED, new StalenessCorrection.DropAbove(0)),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN),
                        List.of(0, 96, 94, 2));

        EpochFinished server =
                epochs.stream().filter(it -> it.rank() == 0).findFirst().orElseThrow();
        assertThat(server.updates().steps()).isBetween(1L, 2L * ROUNDS + 1);
        assertHalvedByEpoch(epochs.stream().filter(epoch -> epoch.updates().steps() > 0).toList());
    }
}
