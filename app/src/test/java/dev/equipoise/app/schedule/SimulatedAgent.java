package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A simulated agent: registers, sends heartbeats, renews its credential, leases assignments, has
 * one rank of a run at a time, and leaves. It may hang, die, start again as the same worker, or
 * lose the service or the other agents.
 */
final class SimulatedAgent {

    // Times in ticks; heartbeat intervals in short and in long ticks.
    private static final int CLUSTER_TIMEOUT = 10;
    private static final int SHORT_BEAT_INTERVAL = 4;
    private static final int LONG_BEAT_INTERVAL = 2;

    /** Ticks after which an agent that leaves ends, whether the service has answered or not. */
    private static final int LEAVE_TIMEOUT = 18;

    private final String name;
    private final SimulatedLab lab;
    private final Registration registration;
    private final String joinToken;
    private final boolean roundsOtherwise;
    private final Random random;
    private @Nullable TestingAgent wire;
    private @Nullable Credential nextCredential;
    private boolean dead;
    private boolean isReturning;
    private int returnsAt;
    private boolean drained;
    private int leavingSince;
    private boolean isLeaveAnnounced;
    private int hungUntil;
    private int hungSince;
    private int cutOffUntil;
    private int unseenUntil;

    private @Nullable SimulatedRank rank;
    private @Nullable Retained retained;

    // What it has sent to other ranks reached them, whatever becomes of it.
    private @Nullable SimulatedRound reached;
    private final Map<SimulatedVote.Moment, SimulatedVote> votes = new HashMap<>();

    private record Retained(RunId run, Outcome.Interrupted.RetainedPoint point) {}

    SimulatedAgent(String name, SimulatedLab lab, String joinToken, long seed) {
        this.name = name;
        this.lab = lab;
        this.registration = TestingLab.registration(name);
        this.joinToken = joinToken;
        this.roundsOtherwise = Math.floorMod(seed, 3) == 0;
        this.random = new Random(seed);
    }

    /** Whether it is this worker; it is none until it knows of its admission. */
    boolean isWorker(WorkerId id) {
        return wire != null && wire.id().equals(id);
    }

    TestingAgent wire() {
        return Objects.requireNonNull(wire, "it is not admitted");
    }

    /** Returns its worker once it knows of its admission. */
    Optional<WorkerId> worker() {
        return Optional.ofNullable(wire).map(TestingAgent::id);
    }

    void die() {
        dead = true;
        forget();
    }

    /** Whether its processor rounds otherwise than most, as that of every third agent does. */
    boolean roundsOtherwise() {
        return roundsOtherwise;
    }

    /**
     * Kills its process, which loses all that it has in memory; another one returns as the same
     * worker. No effect on an agent that is dead, leaves, or does not know its worker yet.
     *
     * @param at tick from which the next process runs
     */
    void restart(int at) {
        if (!dead && leavingSince == 0 && wire != null) {
            forget();
            retained = null;
            nextCredential = null;
            hungUntil = 0;
            isReturning = true;
            returnsAt = at;
        }
    }

    /** Drops its assignment and all unreported events. */
    void forget() {
        if (rank != null) {
            rank.forget();
            rank = null;
        }
    }

    /** Ends its assignment, of which it has reported everything. */
    void release() {
        rank = null;
    }

    void hangUntil(int tick) {
        hungSince = lab.now();
        hungUntil = tick;
    }

    /** Cuts it off from the service. */
    void cutOffUntil(int tick) {
        cutOffUntil = tick;
    }

    /** Cuts it off from the other agents. */
    void unseenUntil(int tick) {
        unseenUntil = tick;
    }

    void heal() {
        hungUntil = 0;
        cutOffUntil = 0;
        unseenUntil = 0;
        returnsAt = 0;
    }

    /** Makes it leave the lab by itself, as after SIGTERM; a repetition has no effect. */
    void leave() {
        if (leavingSince == 0) {
            leavingSince = lab.now();
            lab.tell(name + " leaves");
        }
    }

    /** Records that an administrator drains its worker. */
    void drain() {
        drained = true;
    }

    /** Whether it takes new work. */
    boolean isAvailable() {
        return !dead && !drained && leavingSince == 0;
    }

    private boolean isHung() {
        return lab.now() < hungUntil;
    }

    private boolean isUnseen() {
        return lab.now() < unseenUntil;
    }

    /** Whether its peers can connect to it and it answers. */
    boolean answersPeers() {
        return !dead && !isReturning && !isHung() && !isUnseen();
    }

    private boolean isInCluster() {
        return !dead
                && !isReturning
                && wire != null
                && !isUnseen()
                && !(isHung() && lab.now() - hungSince > CLUSTER_TIMEOUT);
    }

    /** Whether the cluster shows it another agent. */
    boolean sees(SimulatedAgent other) {
        return !isUnseen() && other.isInCluster();
    }

    /** Whether it has a rank of the same generation of the same run. */
    boolean isAt(Assignment.Training part) {
        return rank != null && rank.isOf(part);
    }

    /** Whether it takes part in the generation no more, or has lost this rank. */
    boolean hasLeft(Assignment.Training part) {
        SimulatedRank current = rank;
        return current == null
                || !current.isOf(part)
                || current.hasEnded()
                || (current instanceof TolerantRank tolerant && tolerant.hasLost(part.rank()));
    }

    /** Whether its contribution to the round after a step has arrived. */
    boolean hasSentFor(Assignment.Training part, long step) {
        SimulatedRank current = rank;
        return hasReached(part, step + 1)
                || (answersPeers()
                        && current != null
                        && current.isOf(part)
                        && current.hasSentFor(step));
    }

    /** Whether it has completed a step, with all that it sends in it. */
    boolean hasReached(Assignment.Training part, long step) {
        return new SimulatedRound(part.run(), part.generation(), step - 1).isBefore(reached);
    }

    /** Whether it answers the replicas of a run in an epoch, as a server. */
    boolean serves(Assignment.Training part, int epoch) {
        SimulatedRank current = rank;
        return answersPeers()
                && current != null
                && current.isOf(part)
                && current.isTraining()
                && current.epoch() >= epoch;
    }

    void reach(SimulatedRound round) {
        reached = round;
    }

    void vote(SimulatedVote.Moment moment, SimulatedVote vote) {
        votes.put(moment, vote);
    }

    boolean hasVoted(SimulatedVote.Moment moment) {
        return votes.containsKey(moment);
    }

    Optional<SimulatedVote> voteAt(SimulatedVote.Moment moment) {
        return Optional.ofNullable(votes.get(moment));
    }

    /** Retains the state of a rank in memory until it begins another assignment. */
    void retain(RunId run, Outcome.Interrupted.RetainedPoint point) {
        retained = new Retained(run, point);
    }

    Outcome.Interrupted.@Nullable RetainedPoint retained() {
        return retained == null ? null : retained.point();
    }

    /** Draws a number from 0 to below a bound. */
    int draw(int bound) {
        return random.nextInt(bound);
    }

    void act() {
        if (dead || isHung()) {
            return;
        }
        if (isReturning) {
            comeBack();
        } else if (leavingSince > 0) {
            actToLeave();
        } else if (wire == null) {
            register();
        } else {
            work();
        }
    }

    private void work() {
        if (lab.now() % (lab.isTroubled() ? SHORT_BEAT_INTERVAL : LONG_BEAT_INTERVAL) == 0) {
            beat(false).filter(it -> it.status() == 200).ifPresent(it -> obey(it.body()));
        }
        if (rank == null) {
            if (random.nextInt(3) == 0) {
                lease();
            }
        } else {
            rank.train();
        }
        SimulatedRank current = rank;
        if (current != null && (current.hasEnded() || random.nextBoolean())) {
            current.report();
        }
    }

    /** Trains a round without reports to the service. */
    void trainOn() {
        if (rank != null && !dead && leavingSince == 0) {
            rank.train();
        }
    }

    /** Sends the same registration until it knows its worker. */
    private void register() {
        send(() -> lab.register(joinToken, registration))
                .filter(it -> it.status() < 500 && it.status() != 409)
                .ifPresent(it -> {
                    wire = lab.admit(it, registration);
                    lab.tell("%s is worker %s".formatted(name, wire().id()));
                });
    }

    /** Sends the same registration by its credential until it knows that it is back. */
    private void comeBack() {
        if (lab.now() < returnsAt) {
            return;
        }
        TestingClient client = wire().client();
        var again =
                new Registration(
                        registration.name(),
                        registration.host(),
                        registration.clusterAddress(),
                        registration.labels(),
                        Credential.of(client.bearer()),
                        registration.version(),
                        registration.dataAddress(),
                        registration.protocol(),
                        registration.folders());
        send(() -> client.post("/agents", again))
                .filter(it -> it.status() == 201)
                .ifPresent(it -> {
                    assertThat(it.body().path("worker").stringValue())
                            .as("the worker of %s after its return", name)
                            .isEqualTo(wire().id().toString());
                    isReturning = false;
                    drained = false;
                    lab.tell(name + " is back");
                });
    }

    /** Announces that it leaves, gives up its assignment, reports that, and signs off. */
    private void actToLeave() {
        SimulatedRank current = rank;
        if (wire == null || lab.now() - leavingSince > LEAVE_TIMEOUT) {
            die();
        } else if (!isLeaveAnnounced) {
            isLeaveAnnounced = beat(true).filter(it -> it.status() == 200).isPresent();
        } else if (current != null) {
            current.giveUp();
            current.report();
        } else {
            send(() -> wire().signOff())
                    .filter(it -> it.status() < 500 && it.status() != 409)
                    .ifPresent(it -> {
                        // 401 if an earlier request, whose answer was lost, has revoked it.
                        assertThat(it.status()).as("sign-off").isIn(204, 401);
                        die();
                    });
        }
    }

    <T> Optional<T> send(Supplier<T> request) {
        return lab.now() < cutOffUntil ? Optional.empty() : lab.send(request);
    }

    private Optional<Answer> beat(boolean isDraining) {
        List<TestingAgent> seen =
                isUnseen()
                        ? List.of(wire())
                        : lab.agents().stream()
                                .filter(SimulatedAgent::isInCluster)
                                .map(SimulatedAgent::wire)
                                .toList();
        return send(() -> wire().beat(seen, isDraining));
    }

    /** Obeys the reply to a heartbeat. */
    private void obey(JsonNode reply) {
        if (reply.path("renew").booleanValue()) {
            renew();
        }
        if (reply.path("leave").booleanValue()) {
            leave();
        }
    }

    /** Offers the same credential until it knows that the service has it; then uses it. */
    private void renew() {
        Credential next = nextCredential();
        send(() -> wire().offer(next))
                .filter(it -> it.status() == 204)
                .ifPresent(_ -> {
                    wire().use(next);
                    nextCredential = null;
                    lab.tell(name + " has a new credential");
                });
    }

    private Credential nextCredential() {
        Credential drawn = nextCredential;
        if (drawn == null) {
            drawn = Credential.random(new SecureRandom());
            nextCredential = drawn;
        }
        return drawn;
    }

    private void lease() {
        send(() -> wire().lease(0))
                .filter(it -> it.status() == 200)
                .map(it -> wire().work(it))
                .ifPresent(it -> begin((Assignment.Training) it));
    }

    private void begin(Assignment.Training leased) {
        lab.tell(
                "%s has rank %d of %s, generation %d"
                        .formatted(name, leased.rank(), leased.run(), leased.generation()));
        Retained own = retained;
        if (own != null && !isUsable(own, leased)) {
            retained = null;
        }
        rank = SimulatedRank.of(this, lab, leased);
    }

    /**
     * Whether an assignment can use a retained state: one of the same run that is not ahead of it,
     * as after a restart without this agent.
     */
    private static boolean isUsable(Retained own, Assignment.Training next) {
        Continuation continuation = next.continuation();
        int rounds = next.plan().division().rounds();
        return own.run().equals(next.run())
                && continuation != null
                && own.point().position().step(rounds) <= continuation.from().step(rounds);
    }

    @Override
    public String toString() {
        return name;
    }
}
