package dev.equipoise.app.schedule;

import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * An agent that trains nothing, but keeps step with the others of its run as one that does: ranks
 * end a round together, or lose one another.
 */
final class SimulatedAgent {

    private static final int CLUSTER_MISSES_AFTER = 10;
    private static final int BEATS_EVERY = 3;
    private static final int GIVES_UP_MEETING_AFTER = 20;

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
    private @Nullable Parked parked;

    private @Nullable Reached reached;

    private record Reached(RunId run, int generation, long step) {

        boolean isBefore(@Nullable Reached other) {
            return other != null
                    && other.run.equals(run)
                    && other.generation == generation
                    && other.step > step;
        }
    }

    private record Parked(RunId run, Position position) {}

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

    /** What it has not told goes with it. */
    private void forget() {
        if (part != null) {
            unconfirmed.stream()
                    .filter(AgentEvent.Observed.class::isInstance)
                    .map(AgentEvent.Observed.class::cast)
                    .filter(it -> it.rank() == 0)
                    .forEach(it -> lab.untold(part.run(), it.steps()));
        }
        unconfirmed.clear();
        part = null;
    }

    void hangUntil(int tick) {
        hungSince = lab.now();
        hungUntil = tick;
    }

    /** From the service. */
    void cutOffUntil(int tick) {
        cutOffUntil = tick;
    }

    /** By the others. */
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

    /** Whether the others' sockets to it are up and it answers. */
    private boolean answersPeers() {
        return !dead && !isHung() && lab.now() >= unseenUntil;
    }

    private boolean isInCluster() {
        return !dead
                && lab.now() >= unseenUntil
                && !(isHung() && lab.now() - hungSince > CLUSTER_MISSES_AFTER);
    }

    void act() {
        if (dead || isHung()) {
            return;
        }
        if (!lab.isTroubled() || lab.now() % BEATS_EVERY == 0) {
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
        Parked own = parked;
        if (own != null && (!own.run().equals(leased.run()) || leased.continuation() == null)) {
            parked = null;
        }
        Position from = from(leased);
        epoch = from.epoch();
        round = from.round();
        if (parked != null && leased.rank() == 0) {
            lab.untold(leased.run(), skipped(parked.position(), from, rounds(leased)));
        }
    }

    /** The rounds that others have ended and this one has not, whose weights it is given. */
    private static List<Long> skipped(Position own, Position from, int rounds) {
        return LongStream.rangeClosed(own.step(rounds) + 1, from.step(rounds)).boxed().toList();
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

    private String weights(Assignment.Training training) {
        return "weights " + ((epoch - 1) * rounds(training) + round);
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
        } else if (peers.stream().allMatch(it -> it.hasSentFor(training, step()))) {
            step(training);
        } else if (!missing.isEmpty()
                || peers.stream().anyMatch(it -> !it.isAt(training) || it.ended)) {
            stand(training, missing);
        }
    }

    /** Whether its part of a sum has come, as it was there for it or is beyond it. */
    private boolean hasSentFor(Assignment.Training others, long step) {
        return new Reached(others.run(), others.generation(), step).isBefore(reached)
                || (answersPeers() && isAt(others) && ready && !ended && step() >= step);
    }

    private boolean isLast(Assignment.Training training) {
        return epoch > training.plan().epochs();
    }

    private void meet(Assignment.Training training, boolean areAllThere, List<Integer> missing) {
        if (areAllThere) {
            ready = true;
            unconfirmed.add(new AgentEvent.ReplicaReady(training.rank(), 0.002, weights(training)));
            endEpochIfDone(training);
        } else if (!missing.isEmpty() || lab.now() - leasedAt > GIVES_UP_MEETING_AFTER) {
            stand(training, missing);
        }
    }

    private void step(Assignment.Training training) {
        round++;
        unconfirmed.add(observed(training));
        unconfirmed.add(new AgentEvent.RoundReached(training.rank(), epoch, round));
        reached = new Reached(training.run(), training.generation(), step());
        endEpochIfDone(training);
    }

    private void endEpochIfDone(Assignment.Training training) {
        if (round == rounds(training)) {
            unconfirmed.add(epochFinished(training));
            leaveCheckpoint(training);
            epoch++;
            round = 0;
            if (isLast(training)) {
                end(new AgentEvent.Finished());
            }
        }
    }

    private long step() {
        return part == null ? 0 : (long) (epoch - 1) * rounds(part) + round;
    }

    private AgentEvent observed(Assignment.Training training) {
        long at = (long) (epoch - 1) * rounds(training) + round;
        return new AgentEvent.Observed(
                training.rank(),
                AgentEvent.Observed.TRAINING_LOSS,
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
                        new AgentEvent.Evaluated(0.9, 0.4),
                        weights(training)));
    }

    private void leaveCheckpoint(Assignment.Training training) {
        if (training.rank() > 0
                || training.checkpointing() == null
                || !training.checkpointing().isDueAfter(epoch)
                || epoch == training.plan().epochs()) {
            return;
        }
        var header =
                new CheckpointHeader(
                        training.run(),
                        training.generation(),
                        epoch,
                        training.peers().size(),
                        training.plan().network().parameterCount(),
                        0);
        String path = "/assignments/%s/checkpoints/%d".formatted(training.id(), epoch);
        send(() -> wire.client().put(path, TestingCheckpoints.file(header)));
    }

    /** Keeps what it has, if anything can be kept. */
    private void stand(Assignment.Training training, List<Integer> missing) {
        if (training.checkpointing() == null) {
            end(new AgentEvent.Failed(FailureCause.WORKER, "peer-lost", "it is gone"));
            return;
        }
        if (ready) {
            int samples = training.plan().trainingSamples();
            Position at =
                    round == 0 && epoch > 1
                            ? new Position(epoch - 1, rounds(training), samples)
                            : new Position(epoch, round, samples * round / rounds(training));
            parked = new Parked(training.run(), at);
        }
        Parked own = parked;
        end(
                new AgentEvent.Interrupted(
                        training.rank(),
                        own == null
                                ? null
                                : new AgentEvent.Interrupted.Held(
                                        own.position(),
                                        "weights " + own.position().step(rounds(training))),
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

    /** Sends again what is not confirmed, and with it what has come since. */
    private void report(Assignment.Training training) {
        if (unconfirmed.isEmpty()) {
            return;
        }
        List<AgentEvent> events =
                List.copyOf(unconfirmed.subList(0, 1 + random.nextInt(unconfirmed.size())));
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
            if (answer.status() == 200
                    && answer.body().path("regroup").booleanValue()
                    && round == 0
                    && part != null
                    && !ended) {
                stand(part, List.of());
            }
            if (events.getLast().isLast()) {
                part = null;
            }
        } else if (answer.body().path("code").asString("").equals("stale-generation")) {
            lab.tell(name + " has a part that is over");
            forget();
        } else if (answer.status() != 409 && answer.status() < 500) {
            throw new AssertionError("refused: " + answer.body() + " of " + events);
        }
    }
}
