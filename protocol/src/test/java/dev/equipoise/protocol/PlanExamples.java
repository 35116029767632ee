package dev.equipoise.protocol;

import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Window;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Examples of all variants of the parts of assignments; the rules of {@link Examples} hold. */
final class PlanExamples {

    private static final RunId RUN =
            RunId.of(UUID.fromString("00000000-0000-0000-0000-00000000000a"));
    private static final Normalization UNIT = new Normalization.Unit();
    private static final Schedule STEADY = new Schedule.Constant(0.5);
    private static final Clipping UNCLIPPED = new Clipping.None();

    private static final Map<Class<?>, List<?>> VARIANTS =
            Map.ofEntries(
                    Map.entry(
                            Synchronization.class,
                            List.of(
                                    new Synchronization.Bsp(),
                                    new Synchronization.LocalSgd(
                                            4,
                                            Synchronization.Order.AVERAGE_THEN_STEP,
                                            Synchronization.Momentum.RESET),
                                    new Synchronization.DiLoCo(8, 0.7, 0.9),
                                    new Synchronization.Async(
                                            2,
                                            Synchronization.Weighting.WEIGHTED,
                                            new StalenessCorrection.None()),
                                    new Synchronization.StaleSynchronous(
                                            3, true, new StalenessCorrection.DropAbove(5)),
                                    new Synchronization.AdPsgd())),
                    Map.entry(
                            Topology.class,
                            List.of(
                                    new Topology.AllReduce(
                                            Topology.Algorithm.RING, Topology.RingOrder.BY_LINK),
                                    new Topology.ParameterServer(3, true, Topology.Aggregate.SUM),
                                    new Topology.Gossip(
                                            new Topology.Partners.Fixed(3),
                                            Topology.Payload.UPDATE,
                                            Topology.Mixing.METROPOLIS,
                                            4))),
                    Map.entry(
                            Topology.Partners.class,
                            List.of(
                                    new Topology.Partners.Linear(true),
                                    new Topology.Partners.Dissemination(),
                                    new Topology.Partners.Fixed(3),
                                    new Topology.Partners.RandomMatching())),
                    Map.entry(
                            Compression.class,
                            List.of(
                                    new Compression.None(),
                                    new Compression.Threshold(0.5, true),
                                    new Compression.AdaptiveThreshold(0.1, true),
                                    new Compression.TopK(0.01, true),
                                    new Compression.RandomK(0.1, true),
                                    new Compression.Qsgd(4, 32, true),
                                    new Compression.Sign(true),
                                    new Compression.PowerSgd(2),
                                    new Compression.SampledRows(0.01, 0.02, 0.5, true, true))),
                    Map.entry(
                            Execution.class,
                            List.of(
                                    new Execution.Real(),
                                    new Execution.Virtual(
                                            List.of(
                                                    new Execution.Speed(
                                                            List.of(new Execution.Point(8, 0.25)))),
                                            0.1,
                                            new Execution.Link(50, 1000)),
                                    new Execution.Replay(RUN))),
                    Map.entry(
                            StalenessCorrection.class,
                            List.of(
                                    new StalenessCorrection.None(),
                                    new StalenessCorrection.Inverse(),
                                    new StalenessCorrection.InversePower(0.5),
                                    new StalenessCorrection.DropAbove(5))),
                    Map.entry(
                            OptimizerSpec.class,
                            List.of(
                                    new OptimizerSpec.Sgd(0.05, 0.9, true, STEADY, UNCLIPPED),
                                    new OptimizerSpec.Adam(
                                            0.001, 0.9, 0.999, 1e-8, STEADY, UNCLIPPED),
                                    new OptimizerSpec.AdamW(
                                            0.001, 0.9, 0.999, 1e-8, 0.01, STEADY, UNCLIPPED))),
                    Map.entry(
                            Schedule.class,
                            List.of(
                                    STEADY,
                                    new Schedule.Step(2, 0.1, 0.5),
                                    new Schedule.Cosine(0.1, 0.5))),
                    Map.entry(
                            Clipping.class,
                            List.of(UNCLIPPED, new Clipping.Norm(5), new Clipping.Value(0.5))),
                    Map.entry(
                            Kernel.class,
                            List.of(new Kernel.TrainingStep("mnist-cnn"), new Kernel.Gemm())),
                    Map.entry(
                            Points.class,
                            List.of(
                                    new Points.Fixed(List.of(8, 16)),
                                    new Points.Adaptive(1, 256, 0.05, 12))),
                    Map.entry(
                            Layer.class,
                            List.of(
                                    new Layer.Dense(10),
                                    new Layer.Convolution(20, 5, 2, 1),
                                    new Layer.MaxPool(2, 2, 1, Window.Rounding.DOWN),
                                    new Layer.AveragePool(2, 2, 1, Window.Rounding.UP),
                                    new Layer.Relu(),
                                    new Layer.Sigmoid(),
                                    new Layer.Tanh(),
                                    new Layer.Flatten(),
                                    new Layer.Dropout(0.5),
                                    new Layer.Embedding(16),
                                    new Layer.Rnn(16),
                                    new Layer.Lstm(16))),
                    Map.entry(
                            Shape.class,
                            List.of(
                                    new Shape.Image(28, 28, 1),
                                    new Shape.Vector(64),
                                    new Shape.Tokens(4, 1000),
                                    new Shape.Sequence(4, 16))),
                    Map.entry(
                            DatasetSpec.class,
                            List.of(
                                    new PublishedSpec.Mnist(UNIT, 1000),
                                    new PublishedSpec.FashionMnist(UNIT, 1000),
                                    new PublishedSpec.Cifar10(UNIT, 1000),
                                    new PublishedSpec.Cifar100(UNIT, 1000),
                                    new PublishedSpec.Optdigits(UNIT, 1000),
                                    new PublishedSpec.Nettalk(1000),
                                    new PublishedSpec.Brown(
                                            PublishedSpec.Brown.View.SEQUENCES, 1000, 20, 1000),
                                    new OwnSpec.Idx("own", 8, 9, 3, 2000, UNIT, 1000),
                                    new OwnSpec.Csv("own", 5, 3, 2000, UNIT, 1000),
                                    new DatasetSpec.Synthetic(List.of(2, 3, 1), 3, 2000, 7, 1000))),
                    Map.entry(
                            Normalization.class,
                            List.of(
                                    UNIT,
                                    new Normalization.Standardize(List.of(0.5), List.of(0.25)))));

    private PlanExamples() {}

    /** Returns one example of each variant of a sealed interface; none of other types. */
    static List<?> of(Class<?> type) {
        return VARIANTS.getOrDefault(type, List.of());
    }
}
