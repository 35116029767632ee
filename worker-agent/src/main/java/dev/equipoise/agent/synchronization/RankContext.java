package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.codec.TouchedRows;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Tracing;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.agent.optimizer.Descent;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.SchedulePosition;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.Time;
import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Context of one rank in a training.
 *
 * @param shards samples of each rank in each epoch
 * @param weights of the rank's network, float32; all ranks begin with the same
 * @param descent faster SGD step of the backend
 * @param touchedRows rows touched by the mini-batches of the rank; empty unless the plan's codec
 *     samples rows
 * @param registry registry of the rank state besides the weights
 * @param memory arena that outlives the training
 */
public record RankContext(
        TrainingPlan plan,
        EpochShards shards,
        RankEnvironment environment,
        Instruments instruments,
        MemorySegment weights,
        Optional<Descent> descent,
        Optional<TouchedRows> touchedRows,
        RankStateRegistry registry,
        Arena memory) {

    /** Creates the context of a rank that begins with the shares of the plan. */
    public static RankContext of(
            TrainingPlan plan,
            RankEnvironment environment,
            Instruments instruments,
            MemorySegment weights,
            Optional<Descent> descent,
            RankStateRegistry registry,
            Arena memory) {
        Optional<TouchedRows> touchedRows = touchedRows(plan);
        if (!endsEpochsWithExchange(plan)) {
            touchedRows.ifPresent(it -> register(it, registry));
        }
        return new RankContext(
                plan,
                new EpochShards(new Shards(plan.division().shares(), plan.division().rounds())),
                environment,
                instruments,
                weights,
                descent,
                touchedRows,
                registry,
                memory);
    }

    /** Returns whether no rows are touched after the last exchange of an epoch. */
    private static boolean endsEpochsWithExchange(TrainingPlan plan) {
        int rounds = plan.division().rounds();
        return switch (plan.method().synchronization()) {
            case Synchronization.LocalSgd local -> rounds % local.period() == 0;
            case Synchronization.DiLoCo outer -> rounds % outer.period() == 0;
            case Synchronization.Bsp _,
                    Synchronization.Async _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    true;
        };
    }

    private static void register(TouchedRows rows, RankStateRegistry registry) {
        for (int i = 0; i < rows.blocks(); i++) {
            int block = i;
            registry.number(() -> rows.touched(block), it -> rows.restore(block, it));
        }
    }

    /** The words that a language model reads are those that it predicts. */
    private static Optional<TouchedRows> touchedRows(TrainingPlan plan) {
        return plan.method().compression() instanceof Compression.SampledRows
                        && plan.network().input() instanceof Tokens(int _, int vocabulary)
                ? Optional.of(new TouchedRows(vocabulary, vocabulary))
                : Optional.empty();
    }

    /**
     * Returns a context of the same rank for calibration, with other memory and without recording.
     */
    RankContext forCalibration(Arena other) {
        return new RankContext(
                plan,
                shards,
                environment.withFreeOrder(),
                instruments,
                weights,
                descent,
                touchedRows,
                new RankStateRegistry(),
                other);
    }

    public Channel channel() {
        return environment.channel();
    }

    public Time time() {
        return environment.time();
    }

    BackgroundThread background() {
        return environment.background();
    }

    public ExecutionOrder order() {
        return environment.order();
    }

    /** Returns the place of each layer's weights. */
    List<ParameterBlock> blocks() {
        return ParameterBlock.of(plan.network());
    }

    /** Returns the buckets in which gradients travel, in the order of their exchange; or none. */
    List<GradientBucket> buckets() {
        return plan.method().synchronization() instanceof Synchronization.Bsp bsp
                ? GradientBucket.of(bsp, plan.network())
                : List.of();
    }

    /** Returns a listener for the mini-batches whose gradients the rank has learned. */
    public Consumer<Minibatch> minibatchListener() {
        return touchedRows.<Consumer<Minibatch>>map(TouchedRowsRecorder::new).orElse(_ -> {});
    }

    /**
     * Freezes the touched rows before a vector is sent: later mini-batches belong to the next one.
     */
    void freezeTouchedRows() {
        touchedRows.ifPresent(TouchedRows::swap);
    }

    long elements() {
        return weights.byteSize() / Float.BYTES;
    }

    int rank() {
        return channel().rank();
    }

    /** Returns the replicas; the ranks before them are servers. */
    List<Integer> replicas() {
        return IntStream.range(servers(), channel().size()).boxed().toList();
    }

    int servers() {
        return plan.method().topology().servers();
    }

    boolean isAlone() {
        return channel().size() == 1;
    }

    /** Creates instruments for the background thread. */
    Instruments instrumentsOfBackground() {
        return new Instruments(time(), channel(), Tracing.mostSlices(plan));
    }

    /** Allocates zeros, as long as the weights. */
    MemorySegment vector() {
        return memory.allocate(JAVA_FLOAT, elements());
    }

    /** Creates the plan's optimizer for these weights. */
    public Stepper stepper(MemorySegment stepped) {
        return registered(unregisteredStepper(stepped));
    }

    /** Creates the plan's optimizer for weights whose optimizer state the caller registers. */
    public Stepper unregisteredStepper(MemorySegment stepped) {
        Optimizer optimizer =
                Optimizer.of(plan.optimizer(), plan.division().rounds(), plan.epochs(), descent);
        return new Stepper(optimizer, stepped, memory);
    }

    /** Returns the position of samples in a schedule with this many steps an epoch. */
    SchedulePosition schedulePosition(int stepsPerEpoch) {
        return new SchedulePosition(plan.trainingSamples(), stepsPerEpoch);
    }

    /** Registers the state of a stepper. */
    Stepper registered(Stepper stepper) {
        stepper.memories().forEach(registry::vector);
        registry.number(() -> stepper.state().steps(), stepper::resume);
        return stepper;
    }
}
