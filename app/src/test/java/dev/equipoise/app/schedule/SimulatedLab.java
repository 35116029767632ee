package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.SimulatedDatabase;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One simulated lab, from its first run to the end of its last, determined by a seed. */
final class SimulatedLab {

    private static final int AGENTS = 5;
    private static final int TROUBLED_TICKS = 40;
    private static final int MAX_TICKS = 600;

    /** Runs of a seed; two of them are queued at once, the others in troubled times. */
    private static final int RUNS = 4;

    private static final int RUNS_AT_FIRST = 2;
    private static final int ROUNDS_PER_LONG_TICK = 4;

    /** Statements and commits after which the database goes down, at most: those of some ticks. */
    private static final int MOST_OPERATIONS = 300;

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration LONG_TICK = Duration.ofSeconds(4);

    /** Time without a heartbeat that the service may charge: the session timeout. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final Random random;
    private final TestingLab lab;
    private final SchedulerLoop loop;
    private final SimulatedDatabase database;
    private final TestingLab.Project project;
    private final SimulatedInvariants invariants;
    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final List<Runnable> delayed = new ArrayList<>();
    private final List<SimulatedDefinitions.Drawn> definitions = new ArrayList<>();
    private final List<Integer> submissions = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();
    private final List<String> history = new ArrayList<>();
    private int tick;
    private int serviceUpAt;
    private int databaseUpAt;
    private int joined;

    /** Time that has passed, without jumps of the clock. */
    private Duration elapsed = Duration.ZERO;

    private boolean hasJumpedAnHour;
    private int jumps;
    private Duration offset = Duration.ZERO;
    private Duration greatestOffset = Duration.ZERO;

    SimulatedLab(
            long seed,
            TestingLab lab,
            SchedulerLoop loop,
            JdbcClient jdbc,
            SimulatedDatabase database) {
        this.random = new Random(seed);
        this.lab = lab;
        this.loop = loop;
        this.database = database;
        this.project = lab.project();
        // A project may have all agents or all but one, so that the quota blocks some runs.
        int quota = AGENTS - random.nextInt(2);
        lab.administrator()
                .put("/projects/" + project.id() + "/quota", Map.of("replicasAtOnce", quota))
                .expect(200);
        // Nothing is sent without schedules; the invariants count the deliveries.
        lab.administrator()
                .post(
                        "/projects/" + project.id() + "/webhooks",
                        Map.of(
                                "name",
                                "ends",
                                "url",
                                "https://receiver.invalid/",
                                "events",
                                List.of("run.ended")))
                .expect(201);
        this.invariants = new SimulatedInvariants(project, jdbc, quota);
        database.begin(random.nextLong());
    }

    void play() {
        for (int i = 0; i < AGENTS; i++) {
            join();
        }
        definitions.addAll(SimulatedDefinitions.draw(RUNS, random));
        for (int i = 0; i < RUNS; i++) {
            submissions.add(i < RUNS_AT_FIRST ? 1 : 1 + random.nextInt(TROUBLED_TICKS));
        }
        while (invariants.ended() < RUNS) {
            assertThat(tick).as("ticks until all runs are over").isLessThan(MAX_TICKS);
            tick();
        }
        // Later seeds must find no rows from the future.
        lab.clock().advance(greatestOffset.minus(offset));
        // A rank may still hold unreported events of a run that ended without it.
        agents.forEach(SimulatedAgent::forget);
        runs.forEach(invariants::assertWhole);
        invariants.assertNoRestartsForWeights();
        invariants.assertCharges(elapsed.plus(SILENCE.multipliedBy(jumps + 1L)), joined);
    }

    /** Number of notes about replicas that differ, or that have taken the weights of another. */
    int notedDifferences() {
        return invariants.notedDifferences();
    }

    /** Whether the simulation injects faults, in short ticks. */
    boolean isTroubled() {
        return tick < TROUBLED_TICKS;
    }

    private void tick() {
        tick++;
        Duration passed = isTroubled() ? TICK : LONG_TICK;
        lab.clock().advance(passed);
        elapsed = elapsed.plus(passed);
        submitDue();
        if (isTroubled()) {
            breakSomething();
        } else {
            heal();
        }
        if (tick == databaseUpAt) {
            database.start();
        }
        deliverDelayed();
        if (isServiceUp()) {
            runSomeTasks();
        }
        List<SimulatedAgent> order = new ArrayList<>(agents);
        Collections.shuffle(order, random);
        order.forEach(SimulatedAgent::act);
        if (!isTroubled()) {
            trainOn(order);
        }
        invariants.check();
        int losses = database.takeLosses();
        if (losses > 0) {
            tell("%d uses of the database fail".formatted(losses));
        }
    }

    private void submitDue() {
        for (int i = 0; i < RUNS; i++) {
            if (submissions.get(i) == tick) {
                String run = project.submitOne(definitions.get(i).text());
                runs.add(run);
                tell("run %s is submitted: %s".formatted(run, definitions.get(i)));
            }
        }
    }

    /** Trains for the rest of an epoch: a long tick lasts that long. */
    private static void trainOn(List<SimulatedAgent> order) {
        for (int round = 1; round < ROUNDS_PER_LONG_TICK; round++) {
            order.forEach(SimulatedAgent::trainOn);
        }
    }

    /**
     * Runs scheduled tasks in random order, as each has its own thread: some in a short tick, which
     * is as long as their periods, and all in a long one.
     */
    private void runSomeTasks() {
        List<Runnable> some =
                new ArrayList<>(
                        List.of(
                                loop::giveWork,
                                loop::wakeOffered,
                                loop::loseSilentWorkers,
                                loop::endGracePeriods));
        Collections.shuffle(some, random);
        int count = isTroubled() ? 1 + random.nextInt(some.size()) : some.size();
        some.subList(0, count).forEach(this::attempt);
    }

    /** Runs a scheduled task; the scheduler runs it again, whether it fails or not. */
    private void attempt(Runnable task) {
        try {
            var _ =
                    call(() -> {
                        task.run();
                        return true;
                    });
        } catch (RuntimeException failure) {
            if (!SimulatedDatabase.isLoss(failure)) {
                throw failure;
            }
        }
    }

    /** Lets the service work on a database that may lose connections. */
    private <T> T call(Supplier<T> work) {
        return isTroubled() ? database.call(work) : work.get();
    }

    private void join() {
        String name = "agent-" + joined++;
        agents.add(new SimulatedAgent(name, this, lab.joinToken(), random.nextLong()));
    }

    Answer register(String joinToken, Registration registration) {
        return lab.register(joinToken, registration);
    }

    TestingAgent admit(Answer answer, Registration registration) {
        return lab.admit(answer, registration);
    }

    private void breakSomething() {
        if (random.nextInt(6) > 0) {
            return;
        }
        SimulatedAgent victim = agents.get(random.nextInt(agents.size()));
        int until = tick + 2 + random.nextInt(30);
        boolean isOfAgent = random.nextInt(11) < 7;
        String fault =
                isOfAgent
                        ? "%s of %s".formatted(breakAgent(victim, until), victim)
                        : breakService(until);
        tell("%s until %d".formatted(fault, until));
    }

    /** Injects a fault of an agent, and returns its name for the history. */
    private String breakAgent(SimulatedAgent victim, int until) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> {
                victim.die();
                join();
                yield "death";
            }
            case 2 -> {
                victim.hangUntil(until);
                yield "hang";
            }
            case 3 -> {
                victim.cutOffUntil(until);
                yield "loss of the service";
            }
            case 4 -> {
                victim.unseenUntil(until);
                yield "loss of the cluster";
            }
            case 5 -> {
                victim.leave();
                join();
                yield "departure";
            }
            case 6 -> {
                victim.restart(random.nextBoolean() ? tick : until);
                yield "restart";
            }
            default -> {
                drain(victim);
                yield "drain";
            }
        };
    }

    /** Injects a fault of the service or its database, and returns its name. */
    private String breakService(int until) {
        return switch (random.nextInt(4)) {
            case 0 -> {
                serviceUpAt = until;
                yield "absence of the service";
            }
            case 1 -> {
                database.goDownAfter(random.nextInt(MOST_OPERATIONS));
                databaseUpAt = until;
                yield "absence of the database";
            }
            case 2 -> {
                jump(Duration.ofSeconds(until));
                yield "short jump";
            }
            default -> {
                jumpAnHourOnce();
                yield "long jump";
            }
        };
    }

    /** Drains a worker as an administrator does, unless it has left or is none yet. */
    private void drain(SimulatedAgent victim) {
        victim.worker()
                .map(it -> lab.administrator().post("/workers/" + it + "/drain"))
                .filter(it -> it.status() == 200)
                .ifPresent(_ -> {
                    victim.drain();
                    join();
                });
    }

    /** Moves the clock of the service, forward or back, while the agents notice nothing. */
    private void jump(Duration time) {
        lab.clock().advance(time);
        jumps++;
        offset = offset.plus(time);
        if (offset.compareTo(greatestOffset) > 0) {
            greatestOffset = offset;
        }
        tell("the clock jumps by " + time);
    }

    /** Once: a jump back and one forward between two heartbeats look like an hour of work. */
    private void jumpAnHourOnce() {
        if (!hasJumpedAnHour) {
            hasJumpedAnHour = true;
            jump(Duration.ofHours(random.nextBoolean() ? 1 : -1));
        }
    }

    /** Ends all faults and replaces dead agents; the clock stays where it is. */
    private void heal() {
        serviceUpAt = 0;
        database.start();
        agents.forEach(SimulatedAgent::heal);
        while (agents.stream().filter(SimulatedAgent::isAvailable).count() < AGENTS) {
            join();
        }
    }

    int now() {
        return tick;
    }

    boolean isServiceUp() {
        return tick >= serviceUpAt;
    }

    List<SimulatedAgent> agents() {
        return agents;
    }

    /** Returns the agent of a worker, which may be dead. */
    SimulatedAgent agent(WorkerId id) {
        return agents.stream().filter(it -> it.isWorker(id)).findFirst().orElseThrow();
    }

    /** Sends a request; the request or its response may be lost, duplicated or delayed. */
    <T> Optional<T> send(Supplier<T> request) {
        if (!isServiceUp()) {
            return Optional.empty();
        }
        return switch (isTroubled() ? random.nextInt(20) : 19) {
            case 0 -> Optional.empty();
            case 1 -> {
                var _ = call(request);
                yield Optional.empty();
            }
            case 2 -> {
                var _ = call(request);
                yield Optional.of(call(request));
            }
            case 3 -> {
                delayed.add(() -> {
                    var _ = call(request);
                });
                yield Optional.empty();
            }
            default -> Optional.of(call(request));
        };
    }

    private void deliverDelayed() {
        if (isServiceUp()) {
            List<Runnable> due =
                    delayed.stream().filter(_ -> !isTroubled() || random.nextBoolean()).toList();
            delayed.removeAll(due);
            due.forEach(Runnable::run);
        }
    }

    void tell(String what) {
        history.add("%4d %s".formatted(tick, what));
    }

    /** The simulated events, and the runs as the service stores them. */
    String history() {
        return String.join("\n", history) + "\n" + invariants.runs();
    }

    void curveIsAt(RunId run, long step) {
        invariants.curveIsAt(run, step);
    }

    void curveContinuesAfter(RunId run, long step) {
        invariants.curveContinuesAfter(run, step);
    }

    void unreported(RunId run, List<Long> steps) {
        invariants.unreported(run, steps);
    }
}
