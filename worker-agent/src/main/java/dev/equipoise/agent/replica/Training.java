package dev.equipoise.agent.replica;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.Meeting;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.collective.TopologyImpossible;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.order.EventOrder;
import dev.equipoise.agent.order.OrderImpossible;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.service.Notes;
import dev.equipoise.agent.time.Background;
import dev.equipoise.agent.time.Pace;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunId;
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

/** Does a training assignment: makes the replica ready, trains it, and names what went wrong. */
public final class Training {

    private static final Logger log = LoggerFactory.getLogger(Training.class);

    /** How long the peer that is the cause may take to say so, or to be missed. */
    private static final Duration CAUSE_SPEAKS_FIRST = Duration.ofSeconds(1);

    private static final Duration GLANCE = Duration.ofMillis(20);

    private static final double NANOS_PER_SECOND = 1e9;

    private final DatasetRegistry datasets;
    private final Meeting meeting;
    private final Pace pace;
    private final Time time;
    private final Backend backend;
    private final LastWeights lastWeights;

    /** Of the last training, where it was interrupted. Who trains is the only one that uses it. */
    private @Nullable Kept kept;

    /** What is kept of a training that was interrupted. */
    private record Kept(RunId run, @Nullable Parked state, DatasetSplit data) {

        /** Null where it is of another run; who begins anew has only the data of before. */
        private @Nullable Kept of(Assignment.Training next) {
            if (!run.equals(next.run())) {
                return null;
            }
            return next.continuation() == null ? new Kept(run, null, data) : this;
        }
    }

    public Training(
            DatasetRegistry datasets,
            Meeting meeting,
            Pace pace,
            Time time,
            Backend backend,
            LastWeights lastWeights) {
        this.datasets = datasets;
        this.meeting = meeting;
        this.pace = pace;
        this.time = time;
        this.backend = backend;
        this.lastWeights = lastWeights;
    }

    /**
     * Trains to the end, or to where the service wants it to be stopped, or until a rank is lost:
     * then it keeps what others can go on with, until the next call.
     *
     * @param notes for people
     * @param checkpoints null where that is never wanted
     * @return the last word on it
     * @throws AssignmentFailed when that is not possible
     * @throws InterruptedException when the thread was interrupted, at the next round at the latest
     */
    public AgentEvent run(
            Assignment.Training assignment,
            Consumer<AgentEvent> events,
            Notes notes,
            @Nullable Checkpoints checkpoints)
            throws InterruptedException {
        Kept before = kept;
        kept = null;
        TrainingPlan plan = assignment.plan();
        // Who fetches its data first would keep the others waiting for longer than they look for
        // it.
        long begun = time.nanoTime();
        Kept own = before == null ? null : before.of(assignment);
        try (Channel channel = meeting.meet(assignment)) {
            if (channel.size() > 1) {
                notes.tell(
                        "has met its %d peers, after %s s"
                                .formatted(channel.size() - 1, secondsSince(begun)));
            }
            notes.passed(Notes.Stage.MET);
            long met = time.nanoTime();
            DatasetSplit data = own == null ? PlanData.load(datasets, plan) : own.data();
            notes.tell("has its data, after %s s".formatted(secondsSince(met)));
            notes.passed(Notes.Stage.HAS_DATA);
            return train(
                    assignment,
                    channel,
                    data,
                    events,
                    notes,
                    resumption(assignment, checkpoints, own));
        } catch (ChannelFailed e) {
            if (checkpoints == null) {
                throw peerLost("rank %d, meeting its peers".formatted(assignment.rank()), e);
            }
            kept = own;
            return interrupted(assignment, own == null ? null : own.state());
        } catch (OrderImpossible e) {
            throw AssignmentFailed.byUser("order-impossible", String.valueOf(e.getMessage()), e);
        } catch (TopologyImpossible e) {
            throw AssignmentFailed.byUser("topology-impossible", String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable Resumption resumption(
            Assignment.Training assignment, @Nullable Checkpoints checkpoints, @Nullable Kept own) {
        return checkpoints == null
                ? null
                : new Resumption(
                        checkpoints, assignment.continuation(), own == null ? null : own.state());
    }

    private String secondsSince(long begun) {
        return String.format(Locale.ROOT, "%.3f", (time.nanoTime() - begun) / NANOS_PER_SECOND);
    }

    private AgentEvent train(
            Assignment.Training assignment,
            Channel channel,
            DatasetSplit data,
            Consumer<AgentEvent> events,
            Notes notes,
            @Nullable Resumption resumption)
            throws InterruptedException {
        TrainingPlan plan = assignment.plan();
        int rank = channel.rank();
        // The channel is the first to close: who waits for others in the background ends then, and
        // tells nobody the weights of a training that has failed.
        try (Network network = Network.of(plan.network(), PlanData.objective(plan, data), backend);
                Arena memory = Arena.ofShared();
                Background background = new SystemBackground();
                Channel _ = channel) {
            network.initialise(plan.seed());
            network.dropoutFrom(plan.seed(), rank);
            IntFunction<Pace> paces = epoch -> pace.slowedBy(plan.division().slowDown(rank, epoch));
            var gradients = Gradients.of(plan, network, data, memory);
            var learner = new LocalLearner(gradients, plan.division().counts().get(rank), paces);
            try (SliceGradients slice =
                    SliceGradients.of(plan, rank, data, backend, network.parameters(), memory)) {
                var replica =
                        new Replica(
                                plan,
                                epoch -> Permutation.of(plan.seed(), epoch, plan.trainingSamples()),
                                learner,
                                slice == null ? null : new LocalSliceLearner(slice, paces),
                                channel,
                                background,
                                EventOrder.of(plan, rank),
                                time,
                                memory,
                                new GoodWeights(
                                        network.parameterCount(),
                                        memory,
                                        (_, weights) ->
                                                lastWeights.keep(assignment.run(), weights)),
                                resumption);
                return train(assignment, replica, data, events, notes, resumption);
            }
        } finally {
            if (channel.staleFrames() > 0) {
                log.info("frames of other generations dropped: {}", channel.staleFrames());
                notes.tell(
                        "has dropped %d frames of other generations"
                                .formatted(channel.staleFrames()));
            }
        }
    }

    private AgentEvent train(
            Assignment.Training assignment,
            Replica replica,
            DatasetSplit data,
            Consumer<AgentEvent> events,
            Notes notes,
            @Nullable Resumption resumption)
            throws InterruptedException {
        try {
            // Who goes on is warm.
            if (resumption == null || resumption.parked() == null) {
                replica.warmUp();
            }
            replica.resume();
            if (resumption != null) {
                resumption.told().ifPresent(notes::tell);
            }
            events.accept(replica.ready());
            AgentEvent last = replica.train(events.andThen(new Waits(notes)));
            if (last instanceof AgentEvent.Interrupted) {
                keep(assignment, replica.park(), data);
            }
            return last;
        } catch (ChannelFailed e) {
            Parked parked = replica.park();
            if (parked == null) {
                throw peerLost(replica.position(), e);
            }
            log.info("interrupted at {}: {}", replica.position(), e.getMessage());
            keep(assignment, parked, data);
            return interrupted(assignment, parked);
        }
    }

    private void keep(Assignment.Training assignment, @Nullable Parked parked, DatasetSplit data) {
        kept = parked == null ? null : new Kept(assignment.run(), parked, data);
    }

    /**
     * It may take the cluster a moment to miss whom this rank has lost; it may as well be nobody,
     * but a link.
     */
    private AgentEvent interrupted(Assignment.Training assignment, @Nullable Parked parked)
            throws InterruptedException {
        requireNotInterrupted("being interrupted by others");
        long end = time.nanoTime() + CAUSE_SPEAKS_FIRST.toNanos();
        List<Integer> missing = meeting.missing(assignment);
        while (missing.isEmpty() && time.nanoTime() < end) {
            time.sleep(GLANCE.toNanos());
            requireNotInterrupted("waiting for the cause");
            missing = meeting.missing(assignment);
        }
        return new AgentEvent.Interrupted(
                assignment.rank(), parked == null ? null : parked.held(), missing);
    }

    /**
     * An exchange that was interrupted is no peer's fault. Nor is a lost peer worth telling when
     * the peer itself has told why: then the service revokes this assignment, which interrupts the
     * wait.
     */
    private AssignmentFailed peerLost(String position, ChannelFailed failure)
            throws InterruptedException {
        time.sleep(CAUSE_SPEAKS_FIRST.toNanos());
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
