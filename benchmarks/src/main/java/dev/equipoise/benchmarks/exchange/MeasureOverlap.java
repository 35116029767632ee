package dev.equipoise.benchmarks.exchange;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.synchronization.RankContext;
import dev.equipoise.agent.synchronization.RankEnvironment;
import dev.equipoise.agent.synchronization.Synchronizer;
import dev.equipoise.agent.synchronization.Synchronizers;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.benchmarks.BenchFailed;
import dev.equipoise.benchmarks.Medians;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Synchronization.Bsp;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures rounds of BSP between the threads of one process, with the synchronizers of agents over
 * shaped links. All ways take turns, round by round, so that they share disturbances.
 */
final class MeasureOverlap {

    private static final double NANOS = 1e9;
    private static final double MEGA = 1e6;
    private static final int WARM_UPS = 5;

    private final Architecture architecture;
    private final int ranks;
    private final int batch;
    private final int rounds;
    private final double megabytesPerSecond;
    private final Bsp overlapped;
    private final Backend backend = Backends.load();

    /**
     * @param batch samples of a rank in a round
     * @param rounds measured rounds of each way
     * @param megabytesPerSecond bandwidth of every link, in one direction
     */
    MeasureOverlap(
            Architecture architecture,
            int ranks,
            int batch,
            int rounds,
            double megabytesPerSecond,
            Bsp overlapped) {
        this.architecture = architecture;
        this.ranks = ranks;
        this.batch = batch;
        this.rounds = rounds;
        this.megabytesPerSecond = megabytesPerSecond;
        this.overlapped = overlapped;
    }

    /** Returns the medians of the first rank. */
    OverlapFigure measure() throws InterruptedException {
        List<Channel> channels = MemoryChannel.join(ranks);
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<OverlapFigure>> results =
                    channels.stream()
                            .map(channel -> threads.submit(() -> measure(channel)))
                            .toList();
            for (Future<OverlapFigure> result : results) {
                result.get();
            }
            return results.getFirst().get();
        } catch (ExecutionException e) {
            throw new BenchFailed("a rank failed: " + e.getCause(), e);
        }
    }

    /** Measures one rank; closes the channel so that a failed rank does not block the others. */
    private OverlapFigure measure(Channel channel) {
        try (Network network =
                        Network.of(
                                architecture,
                                Objective.meanCrossEntropy(architecture.scores()),
                                backend);
                Arena memory = Arena.ofShared();
                BackgroundThread background = new SystemBackground();
                channel) {
            network.initialize(1);
            limit(channel);
            var inTurn =
                    new Bsp(false, overlapped.bucketMegabytes(), overlapped.firstBucketMegabytes());
            List<Way> ways = new ArrayList<>();
            for (Bsp method : List.of(new Bsp(), inTurn, overlapped)) {
                ways.add(new Way(method, channel, background, network, memory));
            }
            Minibatch minibatch = noise(channel.rank(), memory);
            for (int round = -WARM_UPS; round < rounds; round++) {
                for (Way way : ways) {
                    way.round(minibatch, round >= 0);
                }
            }
            return figure(ways);
        }
    }

    private void limit(Channel channel) {
        var limits = new LinkLimits(megabytesPerSecond * MEGA, Duration.ZERO);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != channel.rank()) {
                channel.limit(peer, limits);
            }
        }
    }

    private OverlapFigure figure(List<Way> ways) {
        double compute = Medians.of(ways.getFirst().computing);
        List<GradientBucket> buckets = GradientBucket.of(overlapped, architecture);
        return new OverlapFigure(
                architecture.name(),
                ranks,
                megabytesPerSecond,
                buckets.size(),
                compute,
                Medians.of(ways.get(0).seconds),
                Medians.of(ways.get(1).seconds),
                Medians.of(ways.get(2).seconds),
                expected(buckets, compute));
    }

    private double expected(List<GradientBucket> buckets, double compute) {
        var costs = new CostModel(0, 1 / (megabytesPerSecond * MEGA), 0);
        double end = 0;
        for (GradientBucket bucket : buckets) {
            end =
                    Math.max(bucket.ready() * compute, end)
                            + costs.seconds(Algorithm.RING, ranks, bucket.bytes());
        }
        return end;
    }

    private TrainingPlan plan(Bsp method) {
        int samples = ranks * batch;
        return new TrainingPlan(
                new DatasetSpec.Synthetic(
                        shape(architecture.input()), architecture.scores(), samples, 1, samples),
                architecture,
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                new OptimizerSpec.Sgd(0.01),
                1,
                Observation.every(1),
                1,
                TrainingPlan.EpochDivision.of(Collections.nCopies(ranks, batch), 1),
                new Method(method, Topology.AllReduce.by(Algorithm.RING), new Compression.None()),
                ChannelKind.DIRECT,
                new Execution.Real(),
                List.of(),
                List.of());
    }

    private static List<Integer> shape(Shape input) {
        return input instanceof Shape.Image(int height, int width, int channels)
                ? List.of(height, width, channels)
                : List.of(input.size());
    }

    private Minibatch noise(int rank, Arena memory) {
        var random = new SplittableRandom(rank);
        var minibatch = new Minibatch(architecture.input(), 1, batch, memory);
        minibatch.resize(batch);
        for (long i = 0; i < minibatch.values().byteSize() / Float.BYTES; i++) {
            minibatch.values().setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble());
        }
        Arrays.setAll(minibatch.labels(), _ -> random.nextInt(architecture.scores()));
        return minibatch;
    }

    /** One way to exchange the gradients of a rank, with its times in seconds. */
    private final class Way {

        private final Network network;
        private final Instruments instruments;
        private final Synchronizer synchronizer;
        private final List<Double> computing = new ArrayList<>();
        private final List<Double> seconds = new ArrayList<>();

        Way(
                Bsp method,
                Channel channel,
                BackgroundThread background,
                Network network,
                Arena memory) {
            var time = new SystemTime();
            this.network = network;
            this.instruments = new Instruments(time, channel, 0);
            this.synchronizer =
                    Synchronizers.of(
                            RankContext.of(
                                    plan(method),
                                    new RankEnvironment(
                                            channel, time, background, ExecutionOrder.FREE),
                                    instruments,
                                    network.parameters(),
                                    network.descent(),
                                    new RankStateRegistry(),
                                    memory));
        }

        void round(Minibatch minibatch, boolean isMeasured) {
            instruments.begin();
            long before = System.nanoTime();
            synchronizer.begin();
            double _ =
                    network.gradient(
                            minibatch,
                            () -> {},
                            offset -> synchronizer.completed(network.gradient(), offset));
            instruments.end(Phase.COMPUTE);
            synchronizer.update(network.gradient(), batch);
            if (isMeasured) {
                seconds.add((System.nanoTime() - before) / NANOS);
                computing.add(instruments.phases().computeSeconds());
            }
        }
    }
}
