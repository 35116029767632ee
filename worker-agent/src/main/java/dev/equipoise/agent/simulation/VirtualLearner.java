package dev.equipoise.agent.simulation;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.GradientListener;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.optimizer.Descent;
import dev.equipoise.agent.training.Gradients;
import dev.equipoise.agent.training.Learner;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.performance.cost.GradientReadiness;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Computes gradients with weights of its own and networks that it shares with the other replicas of
 * this process, on a virtual clock.
 */
final class VirtualLearner implements Learner {

    private final VirtualCluster cluster;

    /** One for each compute thread. */
    private final List<Gradients> gradients;

    private final int rank;
    private final int batches;
    private final IntFunction<ComputeTime> computeTimes;

    /** Completion time of each part of the gradient; a single part without overlap. */
    private final List<GradientReadiness> readiness;

    private final MemorySegment weights;
    private final MemorySegment gradient;
    private long dropoutState;
    private long draws;
    private ComputeTime computeTime;
    private int epoch = 1;

    /**
     * @param gradients one for each thread of the cluster; the first one's network holds the
     *     initial weights
     * @param batches number of mini-batches of a round
     * @param computeTimes by epoch, from 1
     * @param readiness parts of the gradient in the order in which they are complete, the last at
     *     the end of the computing time
     * @param memory must outlive this
     */
    VirtualLearner(
            VirtualCluster cluster,
            List<Gradients> gradients,
            int rank,
            int batches,
            IntFunction<ComputeTime> computeTimes,
            List<GradientReadiness> readiness,
            long seed,
            Arena memory) {
        this.cluster = cluster;
        this.gradients = gradients;
        this.rank = rank;
        this.batches = batches;
        this.computeTimes = computeTimes;
        this.computeTime = computeTimes.apply(1);
        this.readiness = List.copyOf(readiness);
        Network network = gradients.getFirst().network();
        this.weights = memory.allocate(JAVA_FLOAT, network.parameterCount());
        this.gradient = memory.allocate(JAVA_FLOAT, network.parameterCount());
        weights.copyFrom(network.parameters());
        network.dropoutFrom(seed, rank);
        this.dropoutState = network.dropoutState();
    }

    @Override
    public MemorySegment weights() {
        return weights;
    }

    @Override
    public MemorySegment gradient() {
        return gradient;
    }

    @Override
    public Optional<Descent> descent() {
        return gradients.getFirst().network().descent();
    }

    @Override
    public long dropoutState() {
        return dropoutState;
    }

    @Override
    public void dropoutFrom(long state) {
        dropoutState = state;
    }

    @Override
    public void begin(int number) {
        epoch = number;
        computeTime = computeTimes.apply(number);
    }

    /**
     * Computes all at once, and passes the time in which each part of the gradient would be
     * computed.
     */
    @Override
    public double learn(
            int[] order, Slice slice, Consumer<Minibatch> listener, GradientListener progress) {
        long nanos = computeTime.nanos(slice.count(), batches, rank, draws++);
        long passed = part(nanos, readiness.getFirst());
        double loss =
                cluster.compute(
                        passed, thread -> learn(gradients.get(thread), order, slice, listener));
        for (GradientReadiness layer : readiness) {
            cluster.time(rank).sleep(part(nanos, layer) - passed);
            passed = part(nanos, layer);
            progress.completeFrom(layer.offset());
        }
        return loss;
    }

    private static long part(long nanos, GradientReadiness layer) {
        return Math.round(nanos * layer.fraction());
    }

    @Override
    public void warmUp(int[] order, Slice slice) {
        long state = dropoutState;
        long drawn = draws;
        learn(order, slice, _ -> {}, GradientListener.NONE);
        dropoutState = state;
        draws = drawn;
    }

    private double learn(
            Gradients borrowed, int[] order, Slice slice, Consumer<Minibatch> listener) {
        Network network = borrowed.network();
        network.parameters().copyFrom(weights);
        network.dropoutFrom(dropoutState);
        borrowed.begin(epoch);
        double loss =
                borrowed.compute(order, slice, batches, listener, () -> {}, GradientListener.NONE);
        dropoutState = network.dropoutState();
        gradient.copyFrom(network.gradient());
        return loss;
    }

    @Override
    public int testSamples() {
        return gradients.getFirst().testSamples();
    }

    @Override
    public Score score(MemorySegment scored, int from, int to) {
        return cluster.compute(0, thread -> score(gradients.get(thread), scored, from, to));
    }

    private static Score score(Gradients borrowed, MemorySegment scored, int from, int to) {
        borrowed.network().parameters().copyFrom(scored);
        try {
            return borrowed.score(from, to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("threads of the pool are not interrupted", e);
        }
    }
}
