package dev.equipoise.agent.training;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.collective.GroupChannel;
import dev.equipoise.agent.instrument.PhaseClock;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Recovery of a rank: resumes it from a checkpoint, or from state in the memory of ranks, and has
 * its recovery point and its checkpoint coordinator. Only the rank's own thread uses it.
 */
final class RankRecovery {

    private final TrainingPlan plan;
    private final Channel channel;
    private final MemorySegment weights;
    private final RankState state;
    private final ResumeInstructions instructions;
    private final ReplicaComparison comparison;
    private final CheckpointCoordinator coordinator;
    private final @Nullable RecoveryPoint recoveryPoint;
    private final Arena memory;
    private int carriedSamples;
    private double carriedLoss;
    private @Nullable ReplicaDistance replaced;

    /**
     * @param registry registry of the rank state besides the weights
     * @param isRoundWhole whether an interrupted round leaves the state as before it
     * @param memory must outlive this
     */
    RankRecovery(
            TrainingPlan plan,
            Channel channel,
            MemorySegment weights,
            RankStateRegistry registry,
            boolean isRoundWhole,
            ResumeInstructions instructions,
            ReplicaComparison comparison,
            PhaseClock phases,
            Arena memory) {
        this.plan = plan;
        this.channel = channel;
        this.weights = weights;
        this.state =
                new RankState(
                        weights,
                        registry,
                        plan.method().replicatesState(plan.division().rounds(), plan.optimizer()));
        this.instructions = instructions;
        this.comparison = comparison;
        this.coordinator =
                new CheckpointCoordinator(
                        instructions.checkpoints(),
                        instructions.uploads(),
                        state,
                        channel,
                        phases,
                        memory);
        this.recoveryPoint = recoveryPoint(plan, state, isRoundWhole);
        this.memory = memory;
    }

    /** Returns the recovery point; null if the rank cannot continue after the loss of others. */
    private static @Nullable RecoveryPoint recoveryPoint(
            TrainingPlan plan, RankState state, boolean isRoundWhole) {
        if (plan.division().grouping() != null) {
            // Within an epoch no rank holds the whole network.
            return null;
        }
        if (plan.method().toleratesLosses()) {
            return RecoveryPoint.ofEpochs(state);
        }
        return plan.method().canSuspend() ? RecoveryPoint.ofRounds(state, isRoundWhole) : null;
    }

    /** Returns the recovery point; empty if the rank cannot continue after the loss of others. */
    Optional<RecoveryPoint> recoveryPoint() {
        return Optional.ofNullable(recoveryPoint);
    }

    /**
     * Restores the state from which the training resumes.
     *
     * @return position from which it resumes; empty for a training from the start
     */
    Optional<Position> resume() throws InterruptedException {
        Optional<Position> from = restore();
        if (recoveryPoint != null) {
            recoveryPoint.at(from.orElse(Position.beginning(1)), carriedSamples, carriedLoss);
        }
        return from;
    }

    private Optional<Position> restore() throws InterruptedException {
        Continuation continuation = instructions.continuation();
        if (continuation != null) {
            restore(continuation, instructions.retained());
            return Optional.of(continuation.from());
        }
        if (coordinator.after() == 0) {
            return Optional.empty();
        }
        requireSameNeighbors(instructions.checkpoints().parts());
        coordinator.resume();
        replaced = comparison.equalize();
        return Optional.of(Position.beginning(coordinator.after() + 1));
    }

    /**
     * Checks that the number of ranks is that of the checkpoint: a rank's copies of its neighbors
     * are worthless among others.
     */
    private void requireSameNeighbors(int ranks) {
        if (plan.method().keepsCopiesOfNeighbors() && ranks != channel.size()) {
            throw AssignmentFailed.byUser(
                    "checkpoint-impossible",
                    "a training by %s needs the %d ranks of the checkpoint, but has %d"
                            .formatted(plan.method(), ranks, channel.size()),
                    null);
        }
    }

    private void restore(Continuation continuation, @Nullable RetainedState own) {
        if (own != null) {
            RecoveryPoint.copy(own.tensors(), state.tensors());
            state.restore(own.numbers().stream().mapToLong(Long::longValue).toArray());
            if (own.isWithin(continuation.from())) {
                carriedSamples = own.samples();
                carriedLoss = own.lossSum();
            }
        }
        int servers = plan.method().topology().servers();
        if (channel.rank() >= servers) {
            transfer(servers, continuation.holders());
        }
        replaced = own == null ? null : replaced(continuation, own);
    }

    /**
     * Returns the distance of the retained weights of this rank from those of the first holder at
     * the same position, which replaced them; null if both are equal or need not be.
     */
    private @Nullable ReplicaDistance replaced(Continuation continuation, RetainedState own) {
        int rounds = plan.division().rounds();
        MemorySegment before = own.tensors().getFirst();
        boolean isReplaced =
                !plan.method().toleratesLosses()
                        && own.position().step(rounds) == continuation.from().step(rounds)
                        && before.mismatch(weights) >= 0;
        return isReplaced
                ? ReplicaComparison.distance(before, weights, continuation.holders().getFirst())
                : null;
    }

    /** Transfers the rank state among replicas; a server has no state for other ranks. */
    private void transfer(int servers, List<Integer> holders) {
        var replicas =
                new GroupChannel(
                        channel, IntStream.range(servers, channel.size()).boxed().toList());
        new StateTransfer(replicas, state, memory)
                .from(
                        holders.stream()
                                .filter(it -> it >= servers)
                                .map(it -> it - servers)
                                .toList());
    }

    /**
     * Returns the distance of the weights that this rank had from those of another rank, which
     * replaced them when it resumed; null if it resumed with its own, or had none.
     */
    @Nullable ReplicaDistance replaced() {
        return replaced;
    }

    /** Adds samples and loss from before an interruption to the epoch that continues, once. */
    void carryInto(Epoch epoch) {
        epoch.carry(carriedSamples, carriedLoss);
        carriedSamples = 0;
        carriedLoss = 0;
    }

    /**
     * Begins to store a checkpoint if one is due; every rank calls it after every epoch but the
     * last.
     *
     * @return next step of the training, equal on all ranks
     */
    CheckpointCoordinator.Next after(int epoch) throws InterruptedException {
        return coordinator.after(epoch);
    }

    /** Waits until this rank stores no checkpoint part; called before its training ends. */
    void settleCheckpoint() throws InterruptedException {
        coordinator.settle();
    }

    /** Returns position and weight checksum of the recovery point; null if there is none. */
    @Nullable RetainedPoint held() {
        return recoveryPoint == null ? null : recoveryPoint.held();
    }

    /**
     * Returns a copy of the recovery point's state; null if there is none.
     *
     * @param trainedNanos training time since the run began, in nanoseconds
     */
    @Nullable RetainedState retain(long trainedNanos) {
        return recoveryPoint == null ? null : recoveryPoint.retain(trainedNanos);
    }
}
