package dev.equipoise.agent.training;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.Rendezvous;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.codec.FrameCorrupt;
import dev.equipoise.agent.collective.TopologyImpossible;
import dev.equipoise.agent.dataset.DatasetDigest;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.instrument.PhaseClock;
import dev.equipoise.agent.instrument.RunPhase;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.order.ReplayDivergence;
import dev.equipoise.agent.server.MessageRefused;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.agent.synchronization.RankEnvironment;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes training assignments: prepares the rank, trains it, and reports the cause of a failure.
 */
public final class TrainingAssignmentRunner {

    private static final Logger log = LoggerFactory.getLogger(TrainingAssignmentRunner.class);

    /**
     * Time in which the rank that caused a loss may report its cause, or be missed by the cluster.
     */
    private static final Duration CAUSE_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private static final double NANOS_PER_SECOND = 1e9;

    private final DatasetRegistry datasets;
    private final Rendezvous rendezvous;
    private final Throttle throttle;
    private final Time time;
    private final Backend backend;
    private final DivergedWeightsStore divergedWeights;

    /** State of the last training if it was interrupted. Only the training thread uses it. */
    private @Nullable InterruptedTraining lastTraining;

    /**
     * Data of a training.
     *
     * @param digest computed once for the data; null if the ranks do not compare them
     */
    private record LoadedData(DatasetSplit split, @Nullable DatasetDigest digest) {}

    /** State and data of an interrupted training. */
    private record InterruptedTraining(RunId run, @Nullable RetainedState state, LoadedData data) {

        /**
         * Returns what the next assignment can use: null for another run, the data alone for a
         * training from the start or from before the state, as after a restart without this agent.
         */
        private @Nullable InterruptedTraining of(Assignment.Training next) {
            if (!run.equals(next.run())) {
                return null;
            }
            return state == null || isReachedBy(next, state.position())
                    ? this
                    : new InterruptedTraining(run, null, data);
        }

        private static boolean isReachedBy(Assignment.Training next, Position position) {
            Continuation continuation = next.continuation();
            int rounds = next.plan().division().rounds();
            return continuation != null
                    && position.step(rounds) <= continuation.from().step(rounds);
        }
    }

    public TrainingAssignmentRunner(
            DatasetRegistry datasets,
            Rendezvous rendezvous,
            Throttle throttle,
            Time time,
            Backend backend,
            DivergedWeightsStore divergedWeights) {
        this.datasets = datasets;
        this.rendezvous = rendezvous;
        this.throttle = throttle;
        this.time = time;
        this.backend = backend;
        this.divergedWeights = divergedWeights;
    }

    /** Trains a run that stores no model and begins with random weights. */
    public Outcome run(
            Assignment.Training assignment,
            Consumer<RunReport> events,
            RunNotes notes,
            @Nullable Checkpoints checkpoints)
            throws InterruptedException {
        return run(assignment, events, notes, checkpoints, null);
    }

    /**
     * Trains to the end, until the service stops it, or until a rank is lost; then it retains the
     * state for the next call. The last event before the outcome has the times of the rank by run
     * phase.
     *
     * @param notes for people
     * @param checkpoints null if the run never stores any
     * @param models null if the run stores no model and begins with random weights
     * @return last event of the assignment
     * @throws AssignmentFailed when the training fails
     * @throws InterruptedException at the next round at the latest after an interrupt
     */
    public Outcome run(
            Assignment.Training assignment,
            Consumer<RunReport> events,
            RunNotes notes,
            @Nullable Checkpoints checkpoints,
            @Nullable ModelStore models)
            throws InterruptedException {
        PhaseClock phases = PhaseClock.start(time);
        try {
            return run(assignment, events, notes, new Stores(checkpoints, models), phases);
        } finally {
            events.accept(phases.report(assignment.rank()));
        }
    }

    /** Stores of the checkpoints and the models of a run, as far as it has any. */
    private record Stores(@Nullable Checkpoints checkpoints, @Nullable ModelStore models) {}

    /** Store of models with the thread that stores them during the training. */
    private record ModelUploads(ModelStore store, BackgroundThread background) {

        private boolean hasInitial() {
            return store.instructions().initial() != null;
        }
    }

    private Outcome run(
            Assignment.Training assignment,
            Consumer<RunReport> events,
            RunNotes notes,
            Stores stores,
            PhaseClock phases)
            throws InterruptedException {
        InterruptedTraining before = lastTraining;
        lastTraining = null;
        InterruptedTraining usable = before == null ? null : before.of(assignment);
        long start = time.nanoTime();
        // Meets before it loads data: fetching may take longer than the others wait.
        Checkpoints checkpoints = stores.checkpoints();
        ModelStore models = stores.models();
        try (Channel channel = meet(assignment, events);
                BackgroundThread uploads = SystemBackground.interruptedByClose();
                BackgroundThread modelUploads = SystemBackground.interruptedByClose()) {
            noteMeeting(channel, start, notes);
            phases.enter(RunPhase.DATA);
            return train(
                    assignment,
                    channel,
                    data(assignment, channel, usable, notes),
                    events,
                    notes,
                    instructions(assignment, checkpoints, uploads, usable),
                    models == null ? null : new ModelUploads(models, modelUploads),
                    phases);
        } catch (ChannelFailed e) {
            phases.enter(RunPhase.COORDINATION);
            if (checkpoints == null) {
                throw peerLost("rank %d, before the first round".formatted(assignment.rank()), e);
            }
            lastTraining = usable;
            return interrupted(assignment, usable == null ? null : usable.state());
        } catch (FrameCorrupt | MessageRefused e) {
            // The fault of a peer: this worker must not get a cooldown for it.
            phases.enter(RunPhase.COORDINATION);
            throw peerLost("rank %d, which got an invalid frame".formatted(assignment.rank()), e);
        } catch (ReplayDivergence e) {
            throw AssignmentFailed.byUser("order-impossible", String.valueOf(e.getMessage()), e);
        } catch (TopologyImpossible e) {
            throw AssignmentFailed.byUser("topology-impossible", String.valueOf(e.getMessage()), e);
        }
    }

    private Channel meet(Assignment.Training assignment, Consumer<RunReport> events)
            throws InterruptedException {
        try (RendezvousReports _ = RendezvousReports.start(assignment.rank(), events, time)) {
            return rendezvous.meet(assignment);
        }
    }

    private void noteMeeting(Channel channel, long start, RunNotes notes) {
        if (channel.size() > 1) {
            notes.report(
                    "has met its %d peers, after %s s"
                            .formatted(channel.size() - 1, secondsSince(start)));
        }
        notes.passed(RunNotes.Stage.MET);
    }

    /** Returns the data, equal on all ranks if their agents can compare them. */
    private LoadedData data(
            Assignment.Training assignment,
            Channel channel,
            @Nullable InterruptedTraining usable,
            RunNotes notes) {
        long start = time.nanoTime();
        DatasetSplit split =
                usable == null ? PlanData.load(datasets, assignment.plan()) : usable.data().split();
        DatasetDigest known = usable == null ? null : usable.data().digest();
        notes.report("has its data, after %s s".formatted(secondsSince(start)));
        notes.passed(RunNotes.Stage.HAS_DATA);
        List<String> workers = assignment.workers();
        if (workers == null || channel.size() == 1) {
            return new LoadedData(split, known);
        }
        DatasetDigest digest = known == null ? DatasetDigest.of(split) : known;
        DataComparison.requireSame(channel, workers, digest);
        return new LoadedData(split, digest);
    }

    private static @Nullable ResumeInstructions instructions(
            Assignment.Training assignment,
            @Nullable Checkpoints checkpoints,
            BackgroundThread uploads,
            @Nullable InterruptedTraining usable) {
        return checkpoints == null
                ? null
                : new ResumeInstructions(
                        checkpoints,
                        uploads,
                        assignment.continuation(),
                        usable == null ? null : usable.state());
    }

    private String secondsSince(long start) {
        return String.format(Locale.ROOT, "%.3f", (time.nanoTime() - start) / NANOS_PER_SECOND);
    }

    private Outcome train(
            Assignment.Training assignment,
            Channel channel,
            LoadedData loaded,
            Consumer<RunReport> events,
            RunNotes notes,
            @Nullable ResumeInstructions instructions,
            @Nullable ModelUploads models,
            PhaseClock phases)
            throws InterruptedException {
        phases.enter(models != null && models.hasInitial() ? RunPhase.RESTORE : RunPhase.WARM_UP);
        TrainingPlan plan = assignment.plan();
        DatasetSplit data = loaded.split();
        int rank = channel.rank();
        // The channel closes before the background: this ends exchanges there, so that no rank gets
        // weights of a failed training.
        try (Network network = network(plan, rank, data, models);
                Arena memory = Arena.ofShared();
                BackgroundThread background = new SystemBackground();
                Channel _ = channel;
                SliceGradients slice =
                        SliceGradients.of(
                                plan, rank, data, backend, network.parameters(), memory)) {
            var environment =
                    new RankEnvironment(channel, time, background, ExecutionOrder.of(plan, rank));
            var runner =
                    new RankRunner(
                            plan,
                            epoch -> Permutation.of(plan.seed(), epoch, plan.trainingSamples()),
                            learner(plan, rank, Gradients.of(plan, network, data, memory)),
                            slice == null
                                    ? null
                                    : new LocalSliceLearner(slice, throttles(plan, rank)),
                            environment,
                            divergedWeights.lastFiniteWeights(
                                    assignment.run(), network.parameterCount(), memory),
                            instructions,
                            phases,
                            memory);
            configure(runner, assignment, data, models);
            phases.enter(RunPhase.WARM_UP);
            return train(assignment, runner, loaded, events, notes, instructions, phases);
        } finally {
            noteStaleFrames(channel, notes);
        }
    }

    private static void configure(
            RankRunner runner,
            Assignment.Training assignment,
            DatasetSplit data,
            @Nullable ModelUploads models) {
        if (models != null) {
            runner.storeModels(models.store().naming(data.classNames()), models.background());
        }
        // The agent of one rank would take a checksum for another frame.
        if (assignment.workers() == null) {
            runner.skipComparisons();
        }
    }

    private Network network(
            TrainingPlan plan, int rank, DatasetSplit data, @Nullable ModelUploads models)
            throws InterruptedException {
        Network network = Network.of(plan.network(), PlanData.objective(plan, data), backend);
        boolean isReady = false;
        try {
            network.initialize(plan.seed());
            if (models != null && models.hasInitial()) {
                models.store().loadInitial(network.parameters());
            }
            network.dropoutFrom(plan.seed(), rank);
            isReady = true;
            return network;
        } finally {
            if (!isReady) {
                network.close();
            }
        }
    }

    private LocalLearner learner(TrainingPlan plan, int rank, Gradients gradients) {
        return new LocalLearner(
                gradients, plan.division().counts().get(rank), throttles(plan, rank));
    }

    private IntFunction<Throttle> throttles(TrainingPlan plan, int rank) {
        return epoch -> throttle.slowedBy(plan.division().slowDown(rank, epoch));
    }

    private static void noteStaleFrames(Channel channel, RunNotes notes) {
        if (channel.staleFrames() > 0) {
            log.info("frames of other generations dropped: {}", channel.staleFrames());
            notes.report(
                    "has dropped %d frames of other generations".formatted(channel.staleFrames()));
        }
    }

    private Outcome train(
            Assignment.Training assignment,
            RankRunner runner,
            LoadedData data,
            Consumer<RunReport> events,
            RunNotes notes,
            @Nullable ResumeInstructions instructions,
            PhaseClock phases)
            throws InterruptedException {
        // Until a rank has its state, its recovery point is worthless; the caller has the retained
        // one.
        prepare(assignment.rank(), runner, notes, instructions, phases);
        try {
            phases.enter(RunPhase.CALIBRATION);
            events.accept(runner.ready());
            phases.enter(RunPhase.COORDINATION);
            Outcome last = runner.train(events.andThen(new StragglerMonitor(notes)));
            if (last instanceof Outcome.Interrupted) {
                keep(assignment, runner.retain(), data);
            }
            return last;
        } catch (ChannelFailed e) {
            phases.enter(RunPhase.COORDINATION);
            RetainedState retained = runner.retain();
            if (retained == null) {
                throw peerLost(runner.position(), e);
            }
            log.info("interrupted at {}: {}", runner.position(), e.getMessage());
            keep(assignment, retained, data);
            return interrupted(assignment, retained);
        }
    }

    private static void prepare(
            int rank,
            RankRunner runner,
            RunNotes notes,
            @Nullable ResumeInstructions instructions,
            PhaseClock phases)
            throws InterruptedException {
        // A rank with retained state is warm.
        if (instructions == null || instructions.retained() == null) {
            runner.warmUp();
        }
        phases.enter(RunPhase.RESTORE);
        runner.resume();
        if (instructions != null) {
            instructions.description(rank).ifPresent(notes::report);
        }
    }

    private void keep(
            Assignment.Training assignment, @Nullable RetainedState state, LoadedData data) {
        lastTraining =
                state == null ? null : new InterruptedTraining(assignment.run(), state, data);
    }

    /**
     * Reports the interruption with the lost ranks. The cluster may take a moment to miss them; or
     * a link alone is lost, and none is missing.
     */
    private Outcome interrupted(Assignment.Training assignment, @Nullable RetainedState retained)
            throws InterruptedException {
        requireNotInterrupted("a rank was lost");
        long end = time.nanoTime() + CAUSE_TIMEOUT.toNanos();
        List<Integer> missing = rendezvous.missing(assignment);
        while (missing.isEmpty() && time.nanoTime() < end) {
            time.sleep(POLL_INTERVAL.toNanos());
            requireNotInterrupted("waiting for the lost rank");
            missing = rendezvous.missing(assignment);
        }
        return new Outcome.Interrupted(
                assignment.rank(), retained == null ? null : retained.held(), missing);
    }

    /**
     * Returns the failure, after a wait in which a lost peer may report the cause itself: then the
     * service revokes this assignment, which interrupts the wait. An interrupted exchange is no
     * peer's fault.
     */
    private AssignmentFailed peerLost(String position, RuntimeException failure)
            throws InterruptedException {
        time.sleep(CAUSE_TIMEOUT.toNanos());
        requireNotInterrupted(position);
        return AssignmentFailed.byWorker(
                "peer-lost", "at %s: %s".formatted(position, failure.getMessage()), failure);
    }

    private static void requireNotInterrupted(String position) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(position);
        }
    }
}
