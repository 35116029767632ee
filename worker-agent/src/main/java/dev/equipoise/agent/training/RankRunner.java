package dev.equipoise.agent.training;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.LossCurve;
import dev.equipoise.agent.instrument.PhaseClock;
import dev.equipoise.agent.instrument.ReadyTimestamps;
import dev.equipoise.agent.instrument.RunPhase;
import dev.equipoise.agent.instrument.Tracing;
import dev.equipoise.agent.synchronization.AllReduceCalibration;
import dev.equipoise.agent.synchronization.RankContext;
import dev.equipoise.agent.synchronization.RankEnvironment;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.training.Evaluation.Findings;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Observation.Replicas;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Outcome.Finished;
import dev.equipoise.protocol.Outcome.Interrupted;
import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Outcome.Preempted;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs one rank: a replica in training, or a parameter server. Only the training thread uses it.
 */
public final class RankRunner {

    private final TrainingPlan plan;
    private final int rank;
    private final Learner learner;
    private final RankContext context;
    private final RankLoop loop;
    private final Instruments instruments;
    private final ReadyTimestamps timestamps;
    private final Tracing tracing;
    private final LossCurve curve;
    private final ReplicaComparison comparison;
    private final Evaluation evaluation;
    private final Optional<DynamicLoadBalancer> loadBalancer;
    private final @Nullable RankRecovery recovery;
    private final PhaseClock phases;
    private @Nullable ModelKeeper models;
    private int completedEpochs;

    /**
     * Creates a virtual rank, whose training never stops before its end.
     *
     * @param orders permutation of the samples by epoch, from 1
     * @param slice learner of the rank's hidden units under hybrid parallelism, else null
     * @param memory must outlive this
     */
    public RankRunner(
            TrainingPlan plan,
            IntFunction<int[]> orders,
            Learner learner,
            @Nullable SliceLearner slice,
            RankEnvironment environment,
            LastFiniteWeights finiteWeights,
            Arena memory) {
        this(
                plan,
                orders,
                learner,
                slice,
                environment,
                finiteWeights,
                null,
                PhaseClock.ofTraining(environment.time()),
                memory);
    }

    /**
     * Creates a rank that may stop, lose others and continue.
     *
     * @param instructions null for a training that never stops before its end
     */
    RankRunner(
            TrainingPlan plan,
            IntFunction<int[]> orders,
            Learner learner,
            @Nullable SliceLearner slice,
            RankEnvironment environment,
            LastFiniteWeights finiteWeights,
            @Nullable ResumeInstructions instructions,
            PhaseClock phases,
            Arena memory) {
        Channel channel = environment.channel();
        this.plan = plan;
        this.phases = phases;
        this.rank = channel.rank();
        this.learner = learner;
        this.instruments = new Instruments(environment.time(), channel, Tracing.mostSlices(plan));
        this.tracing = new Tracing(plan, rank);
        this.curve = new LossCurve(plan, rank);
        RankStateRegistry registry = registry(learner, instruments);
        this.context =
                RankContext.of(
                        plan,
                        environment,
                        instruments,
                        learner.weights(),
                        learner.descent(),
                        registry,
                        memory);
        this.loop = loop(orders, slice, finiteWeights, instructions != null);
        this.timestamps = timestamps(memory);
        this.loadBalancer =
                DynamicLoadBalancer.of(plan, context.shards(), channel, registry, memory);
        this.comparison =
                new ReplicaComparison(plan, channel, learner.weights(), learner.gradient(), memory);
        this.evaluation =
                new Evaluation(
                        plan,
                        learner,
                        channel,
                        loop.keepsReplicasEqual(),
                        loop::weightInMean,
                        memory);
        this.recovery = instructions == null ? null : recovery(registry, instructions, memory);
    }

    /**
     * Makes this rank store trained models; called before the training.
     *
     * @param background stores models during the training, and runs nothing else; its {@code close}
     *     must interrupt the model that is under way when the training stops before its end; null
     *     to store models in the rank's own thread
     */
    public void storeModels(ModelStore store, @Nullable BackgroundThread background) {
        models = ModelKeeper.of(plan, rank, store, background).orElse(null);
    }

    /**
     * Makes this rank exchange no checksums of weights; called before the training, on all ranks if
     * the agent of one cannot exchange them.
     */
    void skipComparisons() {
        comparison.disable();
    }

    /** Creates the registry with the first two counters of {@link RankState}. */
    private static RankStateRegistry registry(Learner learner, Instruments instruments) {
        var registry = new RankStateRegistry();
        registry.number(learner::dropoutState, learner::dropoutFrom);
        registry.number(instruments::trainedNanos, instruments::resumeAfter);
        return registry;
    }

    private RankLoop loop(
            IntFunction<int[]> orders,
            @Nullable SliceLearner slice,
            LastFiniteWeights finiteWeights,
            boolean isResumable) {
        if (rank < plan.method().topology().servers()) {
            return new ServerLoop(context);
        }
        var position = new LoopPosition(rank);
        var divergence = new DivergenceDetector(position, learner.weights(), finiteWeights);
        Grouping grouping = plan.division().grouping();
        return slice == null || grouping == null
                ? new TrainingLoop(context, position, orders, learner, divergence)
                : new HybridTrainingLoop(
                        context, grouping, position, orders, slice, divergence, isResumable);
    }

    private ReadyTimestamps timestamps(Arena memory) {
        int exchanges = plan.division().rounds() * loop.exchangesPerRound();
        return new ReadyTimestamps(context.channel(), context.time(), exchanges, memory);
    }

    private RankRecovery recovery(
            RankStateRegistry registry, ResumeInstructions instructions, Arena memory) {
        var recoveryOfLoop =
                new RankRecovery(
                        plan,
                        context.channel(),
                        learner.weights(),
                        registry,
                        loop.isRoundWhole(),
                        instructions,
                        comparison,
                        phases,
                        memory);
        recoveryOfLoop.recoveryPoint().ifPresent(loop::commitTo);
        return recoveryOfLoop;
    }

    /** Warms up without any effect, so that the first epoch is as fast as the others. */
    void warmUp() throws InterruptedException {
        loop.warmUp();
    }

    /**
     * Restores the state from which the training resumes, if it does; called before the rank is
     * ready.
     */
    void resume() throws InterruptedException {
        if (recovery != null) {
            recovery.resume().ifPresent(this::resume);
        }
    }

    private void resume(Position from) {
        completedEpochs = from.epoch() - 1;
        loadBalancer.ifPresent(it -> it.resume(from.epoch()));
        loop.resume(from);
        curve.resumeAfter(from.step(plan.division().rounds()));
    }

    /** Returns that this rank is ready, and the seconds of an all-reduce; every rank calls it. */
    public ReplicaReady ready() {
        return new ReplicaReady(
                rank,
                AllReduceCalibration.sumSeconds(context, learner.gradient()),
                WeightChecksum.of(learner.weights()),
                recovery == null ? null : recovery.replaced());
    }

    /**
     * Trains all epochs, unless it stops before; the listener gets every round and every epoch. The
     * last checkpoint part of this rank is stored, or has failed, when this returns or throws
     * {@link ChannelFailed}; so are its models when all epochs are trained. Otherwise a model may
     * be under way: other ranks wait for the outcome of this one.
     *
     * @return last event of the training
     */
    public Outcome train(Consumer<RunReport> listener) throws InterruptedException {
        try {
            Outcome last = trainEpochs(listener);
            settleCheckpoint();
            settleModels(last instanceof Finished);
            return last;
        } catch (ChannelFailed e) {
            // Reports the loss up to here, which is not computed again.
            curve.report(listener);
            // No other rank waits for this one while it waits for its upload.
            context.channel().close();
            settleCheckpoint();
            settleModels(false);
            throw e;
        }
    }

    private void settleCheckpoint() throws InterruptedException {
        if (recovery != null) {
            recovery.settleCheckpoint();
        }
    }

    private void settleModels(boolean hasFinished) throws InterruptedException {
        if (models == null) {
            return;
        }
        if (hasFinished) {
            phases.enter(RunPhase.CHECKPOINT);
            models.settle();
            phases.enter(RunPhase.COORDINATION);
        } else {
            models.drop();
        }
    }

    private Outcome trainEpochs(Consumer<RunReport> listener) throws InterruptedException {
        if (recoveryPoint().filter(RecoveryPoint::isOfEpochs).isPresent()) {
            context.channel().tolerateLosses();
        }
        while (completedEpochs < plan.epochs()) {
            trainEpoch(completedEpochs + 1, listener);
            completedEpochs++;
            switch (next()) {
                case TRAIN -> {}
                case STOP -> {
                    return new Preempted(rank, completedEpochs);
                }
                case SUSPEND -> {
                    return new Interrupted(rank, held(), List.of());
                }
            }
        }
        return new Finished();
    }

    private Optional<RecoveryPoint> recoveryPoint() {
        return recovery == null ? Optional.empty() : recovery.recoveryPoint();
    }

    private void trainEpoch(int number, Consumer<RunReport> listener) throws InterruptedException {
        var epoch = new Epoch(rank, number, instruments, curve);
        if (recovery != null) {
            recovery.carryInto(epoch);
        }
        trainRounds(epoch, listener);
        loop.assemble();
        context.order().end(number, listener);
        loadBalancer.ifPresent(it -> it.after(number, instruments.phases()));
        timestamps.settle(instruments);
        tracing.report(number, instruments, timestamps, listener);
        curve.report(listener);
        EpochFinished finished = finished(epoch);
        listener.accept(phases.report(rank));
        listener.accept(finished);
    }

    /** Compares the replicas, evaluates their mean if it is due, and returns the figures. */
    private EpochFinished finished(Epoch epoch) throws InterruptedException {
        String checksum = WeightChecksum.of(learner.weights());
        ReplicaComparison.Result replicas = comparison.compare(checksum);
        Findings findings = findings(epoch.number(), replicas);
        return epoch.finished(
                findings, distance(findings, replicas.differ()), checksum, replicas.own());
    }

    private @Nullable ConsensusDistance distance(@Nullable Findings findings, boolean differ) {
        if (findings != null) {
            return findings.distance();
        }
        return differ ? evaluation.distance().orElse(null) : null;
    }

    /** Trains the rounds of an epoch; the training phase is the wall time of the epoch. */
    private void trainRounds(Epoch epoch, Consumer<RunReport> listener)
            throws InterruptedException {
        instruments.begin();
        phases.enterAt(RunPhase.TRAINING, instruments.begun());
        loop.epoch(epoch, listener.andThen(_ -> curve.reportIfDue(listener)));
        requireAll();
        instruments.finish();
        phases.enterAt(RunPhase.COORDINATION, instruments.ended());
    }

    /** Ends the training at the end of an epoch that continued without lost ranks. */
    private void requireAll() {
        if (context.channel().hasLosses()) {
            // No other rank waits for this one now.
            context.channel().close();
            throw ChannelFailed.missing("rank %d has lost others in the epoch".formatted(rank));
        }
    }

    private CheckpointCoordinator.Next next() throws InterruptedException {
        return recovery == null || completedEpochs == plan.epochs()
                ? CheckpointCoordinator.Next.TRAIN
                : recovery.after(completedEpochs);
    }

    private @Nullable RetainedPoint held() {
        return recovery == null ? null : recovery.held();
    }

    /** Evaluates the replicas if that is due. */
    private @Nullable Findings findings(int epoch, ReplicaComparison.Result replicas)
            throws InterruptedException {
        boolean last = epoch == plan.epochs();
        if (epoch % plan.observation().evaluateEvery() != 0 && !last) {
            return null;
        }
        phases.enter(RunPhase.EVALUATION);
        Replicas wanted = plan.observation().replicas();
        Findings findings =
                evaluation.find(
                        wanted == Replicas.ALWAYS || (wanted == Replicas.LAST && last), replicas);
        loop.requireFinite(findings);
        phases.enter(RunPhase.COORDINATION);
        if (models != null) {
            models.evaluated(epoch, findings, evaluation.mean(), learner.weights());
        }
        return findings;
    }

    /** Retains the state from which this run can continue after a loss; null if there is none. */
    @Nullable RetainedState retain() {
        return recovery == null ? null : recovery.retain(instruments.trainedNanos());
    }

    /** Returns the current position, for messages. */
    String position() {
        return loop.position();
    }
}
