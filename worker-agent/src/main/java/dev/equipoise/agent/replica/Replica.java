package dev.equipoise.agent.replica;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.collective.GroupChannel;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.LossCurve;
import dev.equipoise.agent.instrument.Stamps;
import dev.equipoise.agent.instrument.Tracing;
import dev.equipoise.agent.order.EventOrder;
import dev.equipoise.agent.replica.Evaluation.Findings;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.synchronization.Participant;
import dev.equipoise.agent.synchronization.Rehearsal;
import dev.equipoise.agent.time.Background;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Finished;
import dev.equipoise.protocol.AgentEvent.Interrupted;
import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import dev.equipoise.protocol.AgentEvent.Preempted;
import dev.equipoise.protocol.AgentEvent.ReplicaReady;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Observation.Replicas;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a run: a copy of the model in training, or a server of the others. The thread that
 * trains is the only one that uses it.
 */
final class Replica {

    private final TrainingPlan plan;
    private final int rank;
    private final Learner learner;
    private final Participant participant;
    private final Duty duty;
    private final Instruments instruments;
    private final Stamps stamps;
    private final Tracing tracing;
    private final LossCurve curve;
    private final Evaluation evaluation;
    private final Optional<Balancing> balancing;
    private final @Nullable Resumption resumption;
    private final Channel channel;
    private final RankMemory state;
    private final @Nullable Stopping stopping;
    private final @Nullable Commit commit;
    private final Arena memory;
    private int trained;
    private int carriedSamples;
    private double carriedLoss;

    /**
     * @param orders of the samples in each epoch, from 1
     * @param slice where ranks share hidden units; else null
     * @param memory must outlive the replica
     * @param resumption null where the training is never stopped before its end
     */
    Replica(
            TrainingPlan plan,
            IntFunction<int[]> orders,
            Learner learner,
            @Nullable SliceLearner slice,
            Channel channel,
            Background background,
            EventOrder order,
            Time time,
            Arena memory,
            GoodWeights goodWeights,
            @Nullable Resumption resumption) {
        this.plan = plan;
        this.rank = channel.rank();
        this.learner = learner;
        var shards =
                new EpochShards(new Shards(plan.division().shares(), plan.division().rounds()));
        this.instruments = new Instruments(time, channel, Tracing.mostSlices(plan));
        this.tracing = new Tracing(plan, rank);
        this.curve = new LossCurve(plan, rank);
        this.channel = channel;
        this.memory = memory;
        var remembered = new Remembered();
        remembered.number(learner::dropoutState, learner::dropoutFrom);
        remembered.number(instruments::trainedNanos, instruments::resumeAfter);
        this.participant =
                new Participant(
                        plan,
                        shards,
                        channel,
                        time,
                        background,
                        order,
                        instruments,
                        learner.weights(),
                        learner.blocks(),
                        learner.words(),
                        remembered,
                        learner.descent(),
                        memory);
        this.duty =
                rank < plan.method().topology().servers()
                        ? new ServingDuty(participant)
                        : training(orders, slice, goodWeights);
        this.stamps =
                new Stamps(
                        channel, time, plan.division().rounds() * duty.exchangesPerRound(), memory);
        this.balancing = Balancing.of(plan, shards, channel, memory);
        this.evaluation = new Evaluation(plan, learner, channel, duty.keepsReplicasEqual(), memory);
        this.resumption = resumption;
        this.state =
                new RankMemory(
                        learner.weights(),
                        remembered,
                        plan.method().remembersAlike(plan.division().rounds(), plan.optimizer()));
        this.stopping =
                resumption == null
                        ? null
                        : new Stopping(resumption.checkpoints(), state, channel, memory);
        this.commit = resumption == null ? null : commit();
        if (commit != null) {
            duty.commitTo(commit);
        }
    }

    /** Null where this rank has nothing to go on with once others are lost. */
    private @Nullable Commit commit() {
        if (plan.method().carriesOn()) {
            return Commit.ofEpochs(state);
        }
        return plan.method().standsStill() ? Commit.ofRounds(state, duty.isRoundWhole()) : null;
    }

    private Duty training(
            IntFunction<int[]> orders, @Nullable SliceLearner slice, GoodWeights goodWeights) {
        var divergence = new Divergence(rank, learner.weights(), goodWeights);
        Grouping grouping = plan.division().grouping();
        if (slice != null && grouping != null) {
            return new HybridDuty(participant, grouping, orders, slice, divergence);
        }
        return new TrainingDuty(participant, orders, learner, divergence);
    }

    /** Computes without any effect, so that the first epoch is as fast as the others. */
    void warmUp() throws InterruptedException {
        duty.warmUp();
        learner.words().forget();
    }

    /** Goes to where the training was stopped or interrupted, if it was; before it is ready. */
    void resume() throws InterruptedException {
        if (resumption == null || stopping == null) {
            return;
        }
        Continuation continuation = resumption.continuation();
        if (continuation != null) {
            goOn(continuation, resumption.parked());
            resume(continuation.from());
        } else if (stopping.after() > 0) {
            requireSameNeighbours(resumption.checkpoints().parts());
            stopping.resume();
            resume(Position.beginning(stopping.after() + 1));
        } else {
            commit(Position.beginning(1));
        }
    }

    /** What a rank knows of its neighbours is worth nothing among others. */
    private void requireSameNeighbours(int ranks) {
        if (plan.method().keepsCopiesOfNeighbours() && ranks != channel.size()) {
            throw AssignmentFailed.byUser(
                    "checkpoint-impossible",
                    "a training by %s goes on with as many ranks as have left the checkpoint, %d, but has %d"
                            .formatted(plan.method(), ranks, channel.size()),
                    null);
        }
    }

    private void goOn(Continuation continuation, @Nullable Parked own) {
        if (own != null) {
            Commit.copy(own.tensors(), state.tensors());
            state.goOnFrom(own.numbers().stream().mapToLong(Long::longValue).toArray());
            if (own.isWithin(continuation.from())) {
                carriedSamples = own.samples();
                carriedLoss = own.lossSum();
            }
        }
        int servers = plan.method().topology().servers();
        if (rank >= servers) {
            handOver(servers, continuation.holders());
        }
    }

    /** Among those that train: a server has nothing that another rank could use. */
    private void handOver(int servers, List<Integer> holders) {
        var replicas =
                new GroupChannel(
                        channel, IntStream.range(servers, channel.size()).boxed().toList());
        new Handover(replicas, state, memory)
                .from(
                        holders.stream()
                                .filter(it -> it >= servers)
                                .map(it -> it - servers)
                                .toList());
    }

    private void resume(Position from) {
        trained = from.epoch() - 1;
        duty.resume(from);
        curve.resumeAfter(from.step(plan.division().rounds()));
        commit(from);
    }

    /** That all ranks can begin, and what a sum over all of them takes; every rank calls it. */
    ReplicaReady ready() {
        return new ReplicaReady(
                rank, Rehearsal.sumSeconds(participant, learner.gradient()), fingerprint());
    }

    /**
     * All epochs, from first to last, unless it is stopped before; the listener hears of every
     * round and every epoch.
     *
     * @return the last word on the training
     */
    AgentEvent train(Consumer<AgentEvent> listener) throws InterruptedException {
        try {
            return trainOn(listener);
        } catch (ChannelFailed e) {
            // What was learnt up to here is not learnt again.
            curve.tell(listener);
            throw e;
        }
    }

    private AgentEvent trainOn(Consumer<AgentEvent> listener) throws InterruptedException {
        Consumer<AgentEvent> withCurve = listener.andThen(_ -> curve.tellIfDue(listener));
        if (commit != null && commit.isOfEpochs()) {
            channel.bearLosses();
        }
        while (trained < plan.epochs()) {
            int number = trained + 1;
            Epoch epoch = begin(number);
            instruments.begin();
            duty.epoch(epoch, withCurve);
            requireAll();
            instruments.finish();
            duty.assemble();
            participant.order().end(number, listener);
            balancing.ifPresent(it -> it.after(epoch.number(), instruments.phases()));
            stamps.settle(instruments);
            tracing.tell(number, instruments, stamps, listener);
            curve.tell(listener);
            listener.accept(epoch.finished(findings(number), fingerprint()));
            trained = number;
            switch (next()) {
                case TRAIN -> {}
                case STOP -> {
                    return new Preempted(rank, number);
                }
                case STAND -> {
                    return new Interrupted(rank, held(), List.of());
                }
            }
        }
        return new Finished();
    }

    /** Those that have carried on go no further than to the end of an epoch without who is lost. */
    private void requireAll() {
        if (channel.hasLosses()) {
            // Nobody waits for this rank any more.
            channel.close();
            throw ChannelFailed.missing("rank %d has lost others in the epoch".formatted(rank));
        }
    }

    private void commit(Position at) {
        if (commit != null) {
            commit.at(at, carriedSamples, carriedLoss);
        }
    }

    private Epoch begin(int number) {
        var epoch = new Epoch(rank, number, instruments, curve);
        epoch.carry(carriedSamples, carriedLoss);
        carriedSamples = 0;
        carriedLoss = 0;
        return epoch;
    }

    private Stopping.Next next() throws InterruptedException {
        return stopping == null || trained == plan.epochs()
                ? Stopping.Next.TRAIN
                : stopping.after(trained);
    }

    private @Nullable Held held() {
        return commit == null ? null : commit.held();
    }

    private @Nullable Findings findings(int epoch) throws InterruptedException {
        boolean last = epoch == plan.epochs();
        if (epoch % plan.observation().evaluateEvery() != 0 && !last) {
            return null;
        }
        Replicas wanted = plan.observation().replicas();
        Findings findings =
                evaluation.find(wanted == Replicas.ALWAYS || (wanted == Replicas.LAST && last));
        duty.requireFinite(findings.test().lossSum());
        return findings;
    }

    /** What others can go on with when this rank's are lost; null where that is nothing. */
    @Nullable Parked park() {
        return commit == null ? null : commit.park(instruments.trainedNanos());
    }

    /** Where the training is, for messages. */
    String position() {
        return duty.position();
    }

    private String fingerprint() {
        return Fingerprint.of(learner.weights());
    }
}
