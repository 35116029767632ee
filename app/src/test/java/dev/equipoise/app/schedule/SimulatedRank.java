package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.app.schedule.SimulatedVote.Exchange;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/**
 * One rank of a run on a simulated agent. It computes nothing, but meets the other ranks, restores
 * a checkpoint, completes rounds and epochs with them, votes, and loses them as a real one. The
 * methods differ in what a round needs and in what a loss does.
 */
abstract class SimulatedRank {

    /** In ticks. */
    private static final int RENDEZVOUS_TIMEOUT = 20;

    /** Uploads of one part before a rank gives up. */
    private static final int MOST_UPLOADS = 5;

    /** Mean number of parts for a preemption of which one is larger than the service allows. */
    private static final int PARTS_PER_LARGE_ONE = 6;

    private enum Stage {
        MEETS,
        RESTORES,
        TRAINS,
        ENDED
    }

    private final SimulatedAgent agent;
    private final SimulatedLab lab;
    private final Assignment.Training part;
    private final Position from;
    private final int leasedAt;
    private final List<AgentEvent> unconfirmed = new ArrayList<>();
    private long confirmed;
    private Stage stage = Stage.MEETS;
    private int epoch;
    private int round;
    private String weights;
    private @Nullable String ownPart;
    private @Nullable ReplicaDistance replaced;
    private Outcome.Interrupted.RetainedPoint recoveryPoint;
    private ReportReply wishes = ReportReply.NONE;
    private Exchange exchange = Exchange.FIGURES;
    private boolean isSuspending;
    private int uploads;
    private boolean isStored;
    private boolean isRejected;

    SimulatedRank(SimulatedAgent agent, SimulatedLab lab, Assignment.Training part) {
        this.agent = agent;
        this.lab = lab;
        this.part = part;
        this.from = from(part);
        this.leasedAt = lab.now();
        this.epoch = from.epoch();
        this.round = isServer() ? rounds() : from.round();
        Outcome.Interrupted.RetainedPoint own = agent.retained();
        this.weights = isHolder(part) && own != null ? own.parameters() : received();
        if (own != null && !isTolerant() && own.position().step(rounds()) == steps(from)) {
            replace(own.parameters());
        }
        this.recoveryPoint = new Outcome.Interrupted.RetainedPoint(from, weights);
        if (hasCurve()) {
            lab.curveContinuesAfter(part.run(), from.step(rounds()));
        }
    }

    static SimulatedRank of(SimulatedAgent agent, SimulatedLab lab, Assignment.Training part) {
        return part.plan().method().toleratesLosses() && part.checkpointing() != null
                ? new TolerantRank(agent, lab, part)
                : new SynchronousRank(agent, lab, part);
    }

    private static Position from(Assignment.Training part) {
        if (part.continuation() != null) {
            return part.continuation().from();
        }
        return Position.beginning(
                part.checkpointing() == null ? 1 : part.checkpointing().after() + 1);
    }

    /**
     * Returns the weights that the first holder sends, if replicas are equal; in other methods
     * those of a rank that joins do not matter.
     */
    private String received() {
        Continuation continuation = part.continuation();
        Outcome.Interrupted.RetainedPoint sent =
                continuation == null || isTolerant()
                        ? null
                        : peers().get(continuation.holders().getFirst()).retained();
        return sent == null ? "weights " + steps(from) : sent.parameters();
    }

    private boolean isTolerant() {
        return part.plan().method().toleratesLosses();
    }

    private long steps(Position position) {
        return position.step(rounds());
    }

    /** Measures the distance of weights from those that have replaced them. */
    private void replace(String before) {
        Continuation continuation = part.continuation();
        int source = continuation == null ? first() : continuation.holders().getFirst();
        replaced = before.equals(weights) ? null : distance(source);
    }

    private static ReplicaDistance distance(int source) {
        return new ReplicaDistance(source, 1e-6, 1e-7);
    }

    /** Returns the first rank with weights. */
    private int first() {
        return part.plan().method().ranksWithoutWeights();
    }

    private boolean keepsReplicasEqual() {
        return part.plan().method().endsEpochsWithEqualReplicas(rounds());
    }

    private static boolean isHolder(Assignment.Training part) {
        return part.continuation() != null && part.continuation().holders().contains(part.rank());
    }

    /** Trains one round, or takes part in one exchange, if the other ranks do. */
    abstract void trainRound();

    /** Whether it may take part in the next exchange at the end of the epoch. */
    abstract boolean mayVote();

    /** Looks for ranks that will not take part in an exchange. */
    abstract void awaitVotes();

    /** Whether it retains a state from which it continues when others are lost. */
    abstract boolean hasRecoveryPoint();

    final SimulatedAgent agent() {
        return agent;
    }

    final Assignment.Training part() {
        return part;
    }

    final int rounds() {
        return part.plan().division().rounds();
    }

    final int servers() {
        return part.plan().method().topology().servers();
    }

    final boolean isServer() {
        return part.rank() < servers();
    }

    /** Whether the lab follows its curve: that of the first replica. */
    private boolean hasCurve() {
        return part.rank() == servers();
    }

    final int epoch() {
        return epoch;
    }

    final int round() {
        return round;
    }

    /** Rounds that it has completed since the run began. */
    final long steps() {
        return (epoch - 1L) * rounds() + round;
    }

    final boolean isTraining() {
        return stage == Stage.TRAINS;
    }

    /** Whether it exchanges in the round after a step, or has done so. */
    final boolean hasSentFor(long step) {
        return isTraining() && (steps() > step || (steps() == step && round < rounds()));
    }

    final boolean hasEnded() {
        return stage == Stage.ENDED;
    }

    final boolean isOf(Assignment.Training other) {
        return part.run().equals(other.run()) && part.generation() == other.generation();
    }

    /** The agents of all ranks, its own included, in rank order. */
    final List<SimulatedAgent> peers() {
        return part.peers().stream().map(lab::agent).toList();
    }

    /** The other ranks that its agent does not see. */
    final List<Integer> missing() {
        List<SimulatedAgent> peers = peers();
        return IntStream.range(0, peers.size())
                .filter(rank -> rank != part.rank() && !agent.sees(peers.get(rank)))
                .boxed()
                .toList();
    }

    final void train() {
        switch (stage) {
            case MEETS -> meet();
            case RESTORES -> restore();
            case TRAINS -> {
                if (round < rounds()) {
                    trainRound();
                } else {
                    endEpoch();
                }
            }
            case ENDED -> {}
        }
    }

    private void meet() {
        if (peers().stream().allMatch(it -> it.answersPeers() && it.isAt(part))) {
            unconfirmed.add(new RunReport.Noted(part.rank(), "has met its peers"));
            Checkpointing checkpointing = part.checkpointing();
            if (part.continuation() == null && checkpointing != null && checkpointing.after() > 0) {
                stage = Stage.RESTORES;
            } else {
                becomeReady();
            }
        } else if (!missing().isEmpty() || lab.now() - leasedAt > RENDEZVOUS_TIMEOUT) {
            interrupt(missing());
        }
    }

    private void becomeReady() {
        stage = Stage.TRAINS;
        recoveryPoint = new Outcome.Interrupted.RetainedPoint(from, weights);
        unconfirmed.add(new RunReport.ReplicaReady(part.rank(), 0.002, weights, replaced));
    }

    /**
     * Fetches its own part of the checkpoint, and then that of the first replica, whose weights
     * equal replicas begin with; an additional rank takes the last one as its own.
     */
    private void restore() {
        Checkpointing checkpointing = part.checkpointing();
        int ranks = checkpointing == null ? 1 : checkpointing.parts();
        int writer = ownPart == null ? Math.min(part.rank(), ranks - 1) : first();
        String path = "/assignments/%s/checkpoint/%d".formatted(part.id(), writer);
        agent.send(() -> agent.wire().client().binary(path)).ifPresent(it -> restore(it, writer));
    }

    private void restore(ResponseEntity<byte[]> answer, int writer) {
        int status = answer.getStatusCode().value();
        switch (status) {
            case 200 -> {
                weights = restored(Objects.requireNonNull(answer.getBody()), writer);
                fetched(weights, writer);
            }
            case 404 ->
                    end(
                            new Outcome.Failed(
                                    FailureCause.WORKER,
                                    "checkpoint-unavailable",
                                    "there is no part " + writer));
            case 409 -> agent.forget();
            default -> assertThat(status).as("status of a part").isGreaterThanOrEqualTo(500);
        }
    }

    private void fetched(String restored, int writer) {
        String own = ownPart;
        if (own != null) {
            replace(own);
            becomeReady();
        } else if (writer == first() || !keepsReplicasEqual()) {
            becomeReady();
        } else {
            ownPart = restored;
        }
    }

    /** Returns the weights in a part, which must be that of the rank, the run and the epoch. */
    private String restored(byte[] file, int writer) {
        CheckpointHeader header =
                CheckpointHeader.read(Arrays.copyOf(file, CheckpointHeader.BYTES));
        assertThat(header.run()).isEqualTo(part.run());
        assertThat(header.rank()).isEqualTo(writer);
        assertThat(header.epoch()).isEqualTo(from.epoch() - 1);
        String own = TestingCheckpoints.own(file);
        String end = " on rank " + writer;
        assertThat(own).endsWith(end);
        return own.substring(0, own.length() - end.length());
    }

    /** Completes a round. */
    final void step() {
        round++;
        unconfirmed.add(SimulatedFigures.loss(part, steps()));
        unconfirmed.add(new RunReport.RoundReached(part.rank(), epoch, round));
        agent.reach(new SimulatedRound(part.run(), part.generation(), steps()));
        if (hasCurve()) {
            lab.curveIsAt(part.run(), steps());
        }
    }

    /** Moves the recovery point to the present position. */
    final void moveRecoveryPoint(String newWeights) {
        int samples = part.plan().trainingSamples();
        weights = newWeights;
        recoveryPoint =
                new Outcome.Interrupted.RetainedPoint(
                        new Position(epoch, round, samples * round / rounds()), weights);
    }

    final SimulatedVote.Moment moment() {
        return new SimulatedVote.Moment(part.run(), part.generation(), epoch, exchange);
    }

    final Exchange exchange() {
        return exchange;
    }

    /** Takes part in the exchanges at the end of an epoch, one after the other. */
    private void endEpoch() {
        if (!agent.hasVoted(moment())) {
            if (!mayVote() || !isReadyToVote()) {
                return;
            }
            agent.vote(moment(), new SimulatedVote(wishes, isStored, weights));
        }
        List<SimulatedVote> votes =
                peers().stream().flatMap(it -> it.voteAt(moment()).stream()).toList();
        if (votes.size() == part.peers().size()) {
            exchanged(votes);
        } else {
            awaitVotes();
        }
    }

    /** Before the vote on a stored checkpoint, uploads until the service takes or rejects it. */
    private boolean isReadyToVote() {
        if (exchange == Exchange.STORED && !isStored && !isRejected && uploads < MOST_UPLOADS) {
            upload(agent.draw(PARTS_PER_LARGE_ONE) == 0);
            return isStored || isRejected;
        }
        return true;
    }

    private void exchanged(List<SimulatedVote> votes) {
        switch (exchange) {
            case FIGURES -> {
                unconfirmed.addAll(
                        SimulatedFigures.ofEpoch(part, epoch, weights, difference(votes)));
                if (epoch == part.plan().epochs()) {
                    end(new Outcome.Finished());
                } else {
                    exchange = Exchange.WISHES;
                    uploadIfDue();
                }
            }
            case WISHES -> {
                isSuspending = votes.stream().anyMatch(it -> it.wishes().regroup());
                if (votes.stream().anyMatch(it -> it.wishes().preempt())) {
                    exchange = Exchange.STORED;
                } else {
                    goOn();
                }
            }
            case STORED -> {
                if (votes.stream().allMatch(SimulatedVote::isStored)) {
                    end(new Outcome.Preempted(part.rank(), epoch));
                } else {
                    goOn();
                }
            }
        }
    }

    /** Returns the distance from the first replica; null if both are equal or need not be. */
    private @Nullable ReplicaDistance difference(List<SimulatedVote> votes) {
        boolean isEqual = votes.get(first()).weights().equals(weights);
        return isEqual || !keepsReplicasEqual() ? null : distance(first());
    }

    private void goOn() {
        if (isSuspending) {
            interrupt(List.of());
            return;
        }
        epoch++;
        round = isServer() ? rounds() : 0;
        exchange = Exchange.FIGURES;
        uploads = 0;
        isStored = false;
        isRejected = false;
    }

    /** Uploads its checkpoint part once; the checkpoint is incomplete if another part is lost. */
    private void uploadIfDue() {
        Checkpointing checkpointing = part.checkpointing();
        if (checkpointing != null && checkpointing.isDueAfter(epoch)) {
            upload(false);
        }
    }

    private void upload(boolean isTooLarge) {
        uploads++;
        String path = "/assignments/%s/checkpoints/%d".formatted(part.id(), epoch);
        String own = weights + " on rank " + part.rank();
        byte[] file =
                isTooLarge
                        ? TestingCheckpoints.largeFile(part, epoch)
                        : TestingCheckpoints.file(part, epoch, own);
        agent.send(() -> agent.wire().client().put(path, file)).ifPresent(it -> take(it));
    }

    private void take(Answer upload) {
        isStored |= upload.status() == 204;
        isRejected |= upload.status() / 100 == 4;
    }

    /** Ends its assignment because ranks are lost; retains its state if the method has one. */
    final void interrupt(List<Integer> missing) {
        if (part.checkpointing() == null || (isTraining() && !hasRecoveryPoint())) {
            end(new Outcome.Failed(FailureCause.WORKER, "peer-lost", "it is gone"));
            return;
        }
        if (isTraining()) {
            agent.retain(part.run(), recoveryPoint);
        }
        end(new Outcome.Interrupted(part.rank(), agent.retained(), missing));
    }

    /** Ends its assignment because its agent leaves. */
    final void giveUp() {
        if (!hasEnded()) {
            end(new Outcome.Failed(FailureCause.WORKER, "worker-drained", "the worker is leaving"));
        }
    }

    private void end(AgentEvent last) {
        lab.tell("%s: %s".formatted(agent, last));
        unconfirmed.add(SimulatedFigures.phases(part, epoch));
        unconfirmed.add(last);
        stage = Stage.ENDED;
    }

    /** Drops its unreported events. */
    final void forget() {
        if (hasCurve()) {
            unconfirmed.stream()
                    .filter(RunReport.Observed.class::isInstance)
                    .map(RunReport.Observed.class::cast)
                    .forEach(it -> lab.unreported(part.run(), it.steps()));
        }
        unconfirmed.clear();
    }

    /** Sends all unconfirmed events, or in troubled times some of them; old ones again. */
    final void report() {
        if (unconfirmed.isEmpty()) {
            return;
        }
        int some = lab.isTroubled() ? 1 + agent.draw(unconfirmed.size()) : unconfirmed.size();
        List<AgentEvent> events = List.copyOf(unconfirmed.subList(0, some));
        long first = confirmed + 1;
        AgentEvent[] sent = events.toArray(AgentEvent[]::new);
        Optional<Answer> answer =
                agent.send(() -> agent.wire().send(part, part.generation(), first, sent));
        answer.ifPresent(it -> take(it, events));
    }

    private void take(Answer answer, List<AgentEvent> events) {
        if (answer.status() / 100 == 2) {
            confirmed += events.size();
            unconfirmed.subList(0, events.size()).clear();
            wishes = wishes(answer);
            if (events.getLast() instanceof Outcome) {
                agent.release();
            }
        } else if (answer.body().path("code").asString("").equals("stale-generation")) {
            lab.tell(agent + " has a stale assignment");
            agent.forget();
        } else if (answer.status() != 409 && answer.status() < 500) {
            throw new AssertionError("rejected: " + answer.body() + " for " + events);
        }
    }

    private static ReportReply wishes(Answer answer) {
        return answer.status() == 200
                ? new ReportReply(
                        answer.body().path("preempt").booleanValue(),
                        answer.body().path("regroup").booleanValue())
                : ReportReply.NONE;
    }
}
