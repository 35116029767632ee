package dev.equipoise.agent.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.AllocationTrials;
import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Window.Rounding;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Covers the whole loop: reading, gradient, synchronization, divergence detection, clipping, Adam.
 */
@Tag("allocation")
class LoopAllocationTest {
    private static final long MAX_BYTES_PER_ROUND = 1024;
    private static final int CLASSES = 4;
    private static final int ROUNDS = 300;
    private static final int EPOCHS = 2;

    private static final Architecture NETWORK =
            new Architecture(
                    "loop",
                    new Shape.Image(8, 8, 1),
                    List.of(
                            new Layer.Convolution(4, 3, 1, 1),
                            new Layer.Relu(),
                            new Layer.AveragePool(2, 2, 0, Rounding.DOWN),
                            new Layer.Flatten(),
                            new Layer.Dropout(0.2),
                            new Layer.Dense(CLASSES)));

    private long before;
    private long allocated;

    @Test
    void roundAllocatesNextToNothing() throws Exception {
        DatasetSplit data =
                TestingDatasets.noisyPatterns(NETWORK.input(), CLASSES, 2 * ROUNDS, 20, 1);
        var replicas = new TestingReplicas(data, SystemTime::new);

        AllocationTrials.assertBytesPerRound(MAX_BYTES_PER_ROUND, () -> train(replicas));
    }

    /** Returns the bytes per round of the second half of the last epoch. */
    private long train(TestingReplicas replicas) throws InterruptedException {
        allocated = 0;
        replicas.train(plan(), MemoryChannel.join(1).getFirst(), _ -> {}, this::count);
        assertThat(allocated).as("the events of the loop are allocated").isPositive();
        return allocated / (ROUNDS / 2);
    }

    private void count(RunReport event) {
        if (event.equals(new RoundReached(0, EPOCHS, ROUNDS / 2))) {
            before = AllocationTrials.allocatedBytes();
        } else if (event.equals(new RoundReached(0, EPOCHS, ROUNDS))) {
            allocated = AllocationTrials.allocatedBytes() - before;
        }
    }

    private static TrainingPlan plan() {
        return TestingPlan.with(
                TestingPlan.of(
                        new DatasetSpec.Synthetic(
                                List.of(8, 8, 1), CLASSES, 2 * ROUNDS, 1, 2 * ROUNDS),
                        NETWORK,
                        new OptimizerSpec.Adam(
                                0.001,
                                0.9,
                                0.999,
                                1e-8,
                                new Schedule.Cosine(0, 0),
                                new Clipping.Norm(1)),
                        EpochDivision.of(List.of(2 * ROUNDS), ROUNDS)),
                EPOCHS);
    }
}
