package dev.equipoise.app.schedule;

import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulated agent that computes nothing but synchronizes with the other ranks of its run as a
 * real one: ranks complete a round together or lose one another. Gossiping ranks continue without
 * lost ranks, and complete an epoch together or stop there.
 */
final class SimulatedAgent {

    // Times in ticks; heartbeat intervals in short and in long ticks.
    private static final int CLUSTER_TIMEOUT = 10;
    private static final int SHORT_BEAT_INTERVAL = 4;
    private static final int LONG_BEAT_INTERVAL = 2;
    private static final int RENDEZVOUS_TIMEOUT = 20;

    private final String name;
    private final SimulatedLab lab;
    private final TestingAgent wire;
    private final Random random;
    private boolean dead;
    private int hungUntil;
    private int hungSince;
    private int cutOffUntil;
    private int unseenUntil;

    private Assignment.@Nullable Training part;
    private int leasedAt;
    private boolean ready;
    private boolean ended;
    private int epoch = 1;
    private int round;
    private long confirmed;
    private final List<AgentEvent> unconfirmed = new ArrayList<>();
    private @Nullable Retained retained;

    private @Nullable SimulatedRound reached;
    private String weights = "";
    private boolean wished;
    private final Set<Integer> lost = new TreeSet<>();
    private @Nullable SimulatedEnd entered;

    private record Retained(RunId run, Position position, String weights) {}

    SimulatedAgent(String name, SimulatedLab lab, TestingAgent wire, long seed) {
        this.name = name;
        this.lab = lab;
        this.wire = wire;
        this.random = new Random(seed);
    }

    void die() {
        dead = true;
        forget();
    }

    /** Drops its assignment and all unreported events. */
    void forget() {
        if (part != null) {
            unconfirmed.stream()
                    .filter(RunReport.Observed.class::isInstance)
                    .map(RunReport.Observed.class::cast)
                    .filter(it -> it.rank() == 0)
                    .forEach(it -> lab.unreported(part.run(), it.steps()));
        }
        unconfirmed.clear();
        part = null;
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
    }

    boolean isAlive() {
        return !dead;
    }

    private boolean isHung() {
        return lab.now() < hungUntil;
    }

    /** Whether its peers can connect to it and it answers. */
    private boolean answersPeers() {
        return !dead && !isHung() && lab.now() >= unseenUntil;
    }

    private boolean isInCluster() {
        return !dead
                && lab.now() >= unseenUntil
                && !(isHung() && lab.now() - hungSince > CLUSTER_TIMEOUT);
    }

    void act() {
        if (dead || isHung()) {
            return;
        }
        if (lab.now() % (lab.isTroubled() ? SHORT_BEAT_INTERVAL : LONG_BEAT_INTERVAL) == 0) {
            beat();
        }
        if (part != null) {
            train(part);
        } else if (random.nextInt(3) == 0) {
            lease();
        }
        if (part != null && (ended || random.nextBoolean())) {
            report(part);
        }
    }

    /** Trains a round without requests to the service. */
    void trainOn() {
        if (part != null && !dead) {
            train(part);
        }
    }

    private Optional<Answer> send(java.util.function.Supplier<Answer> request) {
        return lab.now() < cutOffUntil ? Optional.empty() : lab.send(request);
    }

    private void beat() {
        List<TestingAgent> seen =
                lab.now() < unseenUntil
                        ? List.of(wire)
                        : lab.agents().stream()
                                .filter(SimulatedAgent::isInCluster)
                                .map(it -> it.wire)
                                .toList();
        send(() -> wire.beat(seen));
    }

    private void lease() {
        send(() -> wire.lease(0))
                .filter(it -> it.status() == 200)
                .map(wire::work)
                .ifPresent(it -> begin((Assignment.Training) it));
    }

    private void begin(Assignment.Training leased) {
        lab.tell(
                "%s has rank %d of %s, generation %d"
                        .formatted(name, leased.rank(), leased.run(), leased.generation()));
        part = leased;
        leasedAt = lab.now();
        ready = false;
        ended = false;
        confirmed = 0;
        unconfirmed.clear();
        Retained own = retained;
        if (own != null && (!own.run().equals(leased.run()) || leased.continuation() == null)) {
            retained = null;
        }
        lost.clear();
        wished = false;
        Position from = from(leased);
        epoch = from.epoch();
        round = from.round();
        weights = isHolder(leased) && retained != null ? retained.weights() : "weights " + step();
        if (leased.rank() == 0) {
            lab.curveContinuesAfter(leased.run(), from.step(rounds(leased)));
        }
    }

    private static Position from(Assignment.Training leased) {
        if (leased.continuation() != null) {
            return leased.continuation().from();
        }
        return Position.beginning(
                leased.checkpointing() == null ? 1 : leased.checkpointing().after() + 1);
    }

    private static int rounds(Assignment.Training training) {
        return training.plan().division().rounds();
    }

    private static boolean isHolder(Assignment.Training training) {
        return training.continuation() != null
                && training.continuation().holders().contains(training.rank());
    }

    /** Whether the ranks of the run continue without lost ranks. */
    private static boolean toleratesLosses(Assignment.Training training) {
        return training.plan().method().topology() instanceof Topology.Gossip
                && training.checkpointing() != null;
    }

    private List<Optional<SimulatedAgent>> peers(Assignment.Training training) {
        return training.peers().stream()
                .map(id -> lab.agents().stream().filter(it -> it.wire.id().equals(id)).findFirst())
                .toList();
    }

    private boolean isAt(Assignment.Training others) {
        return part != null
                && part.run().equals(others.run())
                && part.generation() == others.generation();
    }

    private void train(Assignment.Training training) {
        if (ended) {
            return;
        }
        List<SimulatedAgent> peers = peers(training).stream().flatMap(Optional::stream).toList();
        List<Integer> missing =
                IntStream.range(0, training.peers().size())
                        .filter(rank -> rank != training.rank())
                        .filter(rank -> !peers.get(rank).isInCluster() || lab.now() < unseenUntil)
                        .boxed()
                        .toList();
        if (!ready) {
            boolean areAllThere =
                    peers.stream().allMatch(it -> it.answersPeers() && it.isAt(training));
            meet(training, areAllThere, missing);
        } else if (toleratesLosses(training)) {
            carryOn(training, peers);
        } else if (peers.stream().allMatch(it -> it.hasSentFor(training, step()))) {
            step(training);
        } else if (!missing.isEmpty()
                || peers.stream().anyMatch(it -> !it.isAt(training) || it.ended)) {
            suspend(training, missing);
        }
    }

    /** Whether its contribution to a step has arrived: it computes that step or a later one. */
    private boolean hasSentFor(Assignment.Training others, long step) {
        return new SimulatedRound(others.run(), others.generation(), step).isBefore(reached)
                || (answersPeers() && isAt(others) && ready && !ended && step() >= step);
    }

    private void carryOn(Assignment.Training training, List<SimulatedAgent> peers) {
        lose(training, peers);
        if (round < rounds(training)) {
            if (others(training, peers)
                    .allMatch(it ->
                            it.hasSentFor(training, step()) || it.hasEnded(training, epoch))) {
                step(training);
            }
        } else {
            endEpoch(training, peers);
        }
    }

    /** Adds ranks that have left the cluster, or whose channel is closed, to the lost ones. */
    private void lose(Assignment.Training training, List<SimulatedAgent> peers) {
        for (int rank = 0; rank < peers.size(); rank++) {
            SimulatedAgent peer = peers.get(rank);
            if (rank != training.rank()
                    && !peer.hasEnded(training, epoch)
                    && (isMissed(peer) || peer.hasLeft(training))) {
                lost.add(rank);
            }
        }
    }

    private boolean isMissed(SimulatedAgent peer) {
        return !peer.isInCluster() || lab.now() < unseenUntil;
    }

    private boolean hasLeft(Assignment.Training others) {
        return !isAt(others) || ended || lost.contains(others.rank());
    }

    private boolean hasEnded(Assignment.Training others, int last) {
        return entered != null && entered.isOf(others, last);
    }

    private Stream<SimulatedAgent> others(
            Assignment.Training training, List<SimulatedAgent> peers) {
        return IntStream.range(0, peers.size())
                .filter(rank -> rank != training.rank() && !lost.contains(rank))
                .mapToObj(peers::get);
    }

    /** Exchanges the figures of the epoch; a rank that has lost another suspends before that. */
    private void endEpoch(Assignment.Training training, List<SimulatedAgent> peers) {
        if (!hasEnded(training, epoch)) {
            if (!lost.isEmpty()) {
                suspend(training, missed(peers));
                return;
            }
            entered = new SimulatedEnd(training.run(), training.generation(), epoch, wished);
        }
        if (peers.stream().allMatch(it -> it.hasEnded(training, epoch))) {
            int last = epoch;
            endEpochIfDone(training);
            if (!ended && peers.stream().anyMatch(it -> it.wishedAt(last))) {
                suspend(training, List.of());
            }
        } else if (!lost.isEmpty()) {
            suspend(training, missed(peers));
        }
    }

    private boolean wishedAt(int last) {
        return entered != null && entered.epoch() == last && entered.wished();
    }

    /** The lost ranks that are unreachable; a suspended rank is lost to this epoch only. */
    private List<Integer> missed(List<SimulatedAgent> peers) {
        return lost.stream().filter(rank -> isMissed(peers.get(rank))).toList();
    }

    private boolean isLast(Assignment.Training training) {
        return epoch > training.plan().epochs();
    }

    private void meet(Assignment.Training training, boolean areAllThere, List<Integer> missing) {
        if (areAllThere) {
            ready = true;
            unconfirmed.add(new RunReport.ReplicaReady(training.rank(), 0.002, weights));
            if (!toleratesLosses(training)) {
                endEpochIfDone(training);
            }
        } else if (!missing.isEmpty() || lab.now() - leasedAt > RENDEZVOUS_TIMEOUT) {
            suspend(training, missing);
        }
    }

    private void step(Assignment.Training training) {
        round++;
        unconfirmed.add(observed(training));
        unconfirmed.add(new RunReport.RoundReached(training.rank(), epoch, round));
        reached = new SimulatedRound(training.run(), training.generation(), step());
        weights = "weights " + step() + (toleratesLosses(training) ? " of " + name : "");
        if (training.rank() == 0) {
            lab.curveIsAt(training.run(), step());
        }
        if (!toleratesLosses(training)) {
            endEpochIfDone(training);
        }
    }

    private void endEpochIfDone(Assignment.Training training) {
        if (round == rounds(training)) {
            unconfirmed.add(epochFinished(training));
            leaveCheckpoint(training);
            epoch++;
            round = 0;
            if (isLast(training)) {
                end(new Outcome.Finished());
            }
        }
    }

    private long step() {
        return part == null ? 0 : (long) (epoch - 1) * rounds(part) + round;
    }

    private AgentEvent observed(Assignment.Training training) {
        long at = (long) (epoch - 1) * rounds(training) + round;
        return new RunReport.Observed(
                training.rank(),
                RunReport.Observed.TRAINING_LOSS,
                1,
                List.of(at),
                List.of((double) at),
                List.of(1.0 / at),
                0);
    }

    private AgentEvent epochFinished(Assignment.Training training) {
        return TestingEpochs.ofRank(
                training.rank(),
                TestingEpochs.epoch(
                        epoch,
                        training.plan().division().shares().get(training.rank()),
                        1,
                        0.25,
                        0.5,
                        1.75,
                        1000,
                        0.5,
                        new EpochFinished.TestScore(0.9, 0.4),
                        weights));
    }

    /** Uploads its checkpoint part; the checkpoint is incomplete if another part is lost. */
    private void leaveCheckpoint(Assignment.Training training) {
        if (training.checkpointing() == null
                || !training.checkpointing().isDueAfter(epoch)
                || epoch == training.plan().epochs()) {
            return;
        }
        String path = "/assignments/%s/checkpoints/%d".formatted(training.id(), epoch);
        byte[] file = TestingCheckpoints.file(training, epoch);
        send(() -> wire.client().put(path, file));
    }

    /** Suspends the rank and retains its state; fails instead if the run has no checkpoints. */
    private void suspend(Assignment.Training training, List<Integer> missing) {
        if (training.checkpointing() == null) {
            end(new Outcome.Failed(FailureCause.WORKER, "peer-lost", "it is gone"));
            return;
        }
        if (ready) {
            int samples = training.plan().trainingSamples();
            Position at =
                    round == 0 && epoch > 1
                            ? new Position(epoch - 1, rounds(training), samples)
                            : new Position(epoch, round, samples * round / rounds(training));
            retained = new Retained(training.run(), at, weights);
        }
        Retained own = retained;
        end(
                new Outcome.Interrupted(
                        training.rank(),
                        own == null
                                ? null
                                : new Outcome.Interrupted.RetainedPoint(
                                        own.position(), own.weights()),
                        missing));
    }

    @Override
    public String toString() {
        return name;
    }

    private void end(AgentEvent last) {
        lab.tell("%s: %s".formatted(name, last));
        unconfirmed.add(last);
        ended = true;
    }

    /** Sends all unconfirmed events, old ones again. */
    private void report(Assignment.Training training) {
        if (unconfirmed.isEmpty()) {
            return;
        }
        int some = lab.isTroubled() ? 1 + random.nextInt(unconfirmed.size()) : unconfirmed.size();
        List<AgentEvent> events = List.copyOf(unconfirmed.subList(0, some));
        long first = confirmed + 1;
        int generation = training.generation();
        Optional<Answer> answer =
                send(() ->
                        wire.send(training, generation, first, events.toArray(AgentEvent[]::new)));
        answer.ifPresent(it -> take(it, events));
    }

    private void take(Answer answer, List<AgentEvent> events) {
        if (answer.status() / 100 == 2) {
            confirmed += events.size();
            unconfirmed.subList(0, events.size()).clear();
            if (answer.status() == 200 && answer.body().path("regroup").booleanValue()) {
                stopAsRequested();
            }
            if (events.getLast() instanceof Outcome) {
                part = null;
            }
        } else if (answer.body().path("code").asString("").equals("stale-generation")) {
            lab.tell(name + " has a stale assignment");
            forget();
        } else if (answer.status() != 409 && answer.status() < 500) {
            throw new AssertionError("rejected: " + answer.body() + " for " + events);
        }
    }

    private void stopAsRequested() {
        wished = true;
        if (part != null && !toleratesLosses(part) && round == 0 && !ended) {
            suspend(part, List.of());
        }
    }
}
