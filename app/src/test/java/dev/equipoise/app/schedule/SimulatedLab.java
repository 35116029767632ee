package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.SimulatedDatabase;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One simulated lab, from its first run to the end of its last, determined by a seed. */
final class SimulatedLab {

    private static final int AGENTS = 4;
    private static final int TROUBLED_TICKS = 40;
    private static final int MAX_TICKS = 400;
    private static final int RUNS = 2;
    private static final int ROUNDS_PER_LONG_TICK = 4;

    /** Statements and commits after which the database goes down, at most: those of some ticks. */
    private static final int MOST_OPERATIONS = 300;
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration LONG_TICK = Duration.ofSeconds(4);
    private static final Set<String> OVER = Set.of("COMPLETED", "FAILED", "CANCELLED");

    /** Time without a heartbeat that the service may charge: the session timeout. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** Elastic: 12 rounds of 10 samples on 3 replicas, and continues with 2. */
    private static final String ELASTIC =
            """
            {"apiVersion": "equipoise/v1", "name": "elastic",
             "dataset": {"name": "mnist", "limit": 120},
             "network": {"layers": ["flatten", {"dense": 10}]},
             "training": {"epochs": 3, "batchSize": 10},
             "workers": {"replicas": 3, "minimum": 2}, "restarts": 100}
            """;

    /** Gossip: as above, but each replica has its own weights. */
    private static final String GOSSIP =
            """
            {"apiVersion": "equipoise/v1", "name": "gossip",
             "dataset": {"name": "mnist", "limit": 120},
             "network": {"layers": ["flatten", {"dense": 10}]},
             "training": {"epochs": 3, "batchSize": 10},
             "synchronization": {"kind": "local-sgd", "period": 1},
             "topology": {"kind": "gossip", "schedule": "dissemination", "payload": "weights"},
             "workers": {"replicas": 3, "minimum": 2}, "restarts": 100}
            """;

    private static final String RIGID =
            """
            {"apiVersion": "equipoise/v1", "name": "rigid",
             "dataset": {"name": "mnist", "limit": 80},
             "network": {"layers": ["flatten", {"dense": 10}]},
             "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 2}, "restarts": 100}
            """;

    /** Violations of: every assignment belongs to an active run, and vice versa. */
    private static final String VIOLATIONS =
            """
            select 'an assignment without an active run: ' || assignment.id || ' of generation '
                   || assignment.generation
            from assignment join run on run.id = assignment.run_id
            where assignment.state in ('OFFERED', 'LEASED', 'PARKED')
              and run.project_id = :project
              and (assignment.generation <> run.generation
                   or run.state not in ('PLACED', 'PREPARING', 'RUNNING'))
            union all
            select 'an active run without assignments: ' || run.id
            from run
            where run.state in ('PLACED', 'PREPARING', 'RUNNING') and run.project_id = :project
              and not exists (select 1 from assignment
                              where assignment.run_id = run.id
                                and assignment.state in ('OFFERED', 'LEASED', 'PARKED'))
            union all
            select 'a queued run without a wait reason: ' || run.id
            from run
            where run.state = 'QUEUED' and run.waiting is null and run.project_id = :project
            """;

    private final Random random;
    private final TestingLab lab;
    private final SchedulerLoop loop;
    private final JdbcClient database;
    private final SimulatedDatabase connections;
    private final TestingLab.Project project;
    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final List<Supplier<Answer>> delayed = new ArrayList<>();
    private final Map<String, Integer> generations = new HashMap<>();
    private final Map<String, String> ends = new HashMap<>();
    private final List<String> runs = new ArrayList<>();
    private final Map<String, Set<Long>> unreported = new HashMap<>();
    private final Map<RunId, Long> curves = new HashMap<>();
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
            JdbcClient database,
            SimulatedDatabase connections) {
        this.random = new Random(seed);
        this.lab = lab;
        this.loop = loop;
        this.database = database;
        this.connections = connections;
        this.project = lab.project();
        connections.begin(random.nextLong());
    }

    void play() {
        for (int i = 0; i < AGENTS; i++) {
            join();
        }
        List<String> definitions = new ArrayList<>(List.of(ELASTIC, RIGID, GOSSIP));
        Collections.shuffle(definitions, random);
        definitions.stream().limit(RUNS).forEach(it -> runs.add(project.submitOne(it)));
        while (!areAllOver()) {
            assertThat(tick).as("ticks until all runs are over").isLessThan(MAX_TICKS);
            tick();
        }
        // Later seeds must find no rows from the future.
        lab.clock().advance(greatestOffset.minus(offset));
        // A rank may still hold unreported events of a run that ended without it.
        agents.forEach(SimulatedAgent::forget);
        runs.forEach(this::assertWhole);
        assertCharges();
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
        if (isTroubled()) {
            breakSomething();
        } else {
            heal();
        }
        if (tick == databaseUpAt) {
            connections.start();
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
        check();
        int losses = connections.takeLosses();
        if (losses > 0) {
            tell("%d uses of the database fail".formatted(losses));
        }
    }

    /** Trains for the rest of an epoch: a long tick lasts that long. */
    private static void trainOn(List<SimulatedAgent> order) {
        for (int round = 1; round < ROUNDS_PER_LONG_TICK; round++) {
            order.forEach(SimulatedAgent::trainOn);
        }
    }

    /** Runs some scheduled tasks in random order, as each has its own thread. */
    private void runSomeTasks() {
        List<Runnable> some =
                new ArrayList<>(
                        List.of(
                                loop::giveWork,
                                loop::wakeOffered,
                                loop::loseSilentWorkers,
                                loop::endGracePeriods));
        Collections.shuffle(some, random);
        some.subList(0, 1 + random.nextInt(some.size())).forEach(this::attempt);
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
        return isTroubled() ? connections.call(work) : work.get();
    }

    private void join() {
        String name = "agent-" + joined++;
        agents.add(new SimulatedAgent(name, this, lab.join(name), random.nextLong()));
    }

    private void breakSomething() {
        if (random.nextInt(6) > 0) {
            return;
        }
        SimulatedAgent victim = agents.get(random.nextInt(agents.size()));
        int until = tick + 2 + random.nextInt(30);
        int fault = random.nextInt(9);
        switch (fault) {
            case 0, 1 -> {
                victim.die();
                join();
            }
            case 2 -> victim.hangUntil(until);
            case 3 -> victim.cutOffUntil(until);
            case 4 -> serviceUpAt = until;
            case 5 -> jump(Duration.ofSeconds(until));
            case 6 -> jumpAnHourOnce();
            case 7 -> {
                connections.goDownAfter(random.nextInt(MOST_OPERATIONS));
                databaseUpAt = until;
            }
            default -> victim.unseenUntil(until);
        }
        tell("fault %d of %s until %d".formatted(fault, victim, until));
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
        connections.start();
        agents.forEach(SimulatedAgent::heal);
        while (agents.stream().filter(SimulatedAgent::isAlive).count() < AGENTS) {
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

    /** Sends a request; the request or its response may be lost, duplicated or delayed. */
    Optional<Answer> send(Supplier<Answer> request) {
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
                delayed.add(request);
                yield Optional.empty();
            }
            default -> Optional.of(call(request));
        };
    }

    private void deliverDelayed() {
        if (isServiceUp()) {
            List<Supplier<Answer>> due =
                    delayed.stream().filter(_ -> !isTroubled() || random.nextBoolean()).toList();
            delayed.removeAll(due);
            for (Supplier<Answer> request : due) {
                var _ = call(request);
            }
        }
    }

    private record StoredRun(UUID id, String state, int generation) {}

    private List<StoredRun> storedRuns() {
        return database.sql("select id, state, generation from run where project_id = :project")
                .param("project", UUID.fromString(project.id()))
                .query((row, _) ->
                        new StoredRun(
                                row.getObject("id", UUID.class),
                                row.getString("state"),
                                row.getInt("generation")))
                .list();
    }

    private boolean areAllOver() {
        return ends.size() == runs.size();
    }

    private void check() {
        for (StoredRun run : storedRuns()) {
            String id = run.id().toString();
            assertThat(run.generation())
                    .as("generations of %s grow", id)
                    .isGreaterThanOrEqualTo(generations.getOrDefault(id, 0));
            generations.put(id, run.generation());
            if (OVER.contains(run.state())) {
                assertThat(ends.computeIfAbsent(id, _ -> run.state()))
                        .as("a run ends once")
                        .isEqualTo(run.state());
            }
        }
        assertThat(strings(VIOLATIONS)).isEmpty();
    }

    private List<String> strings(String sql) {
        return database.sql(sql)
                .param("project", UUID.fromString(project.id()))
                .query((row, _) -> row.getString(1))
                .list();
    }

    void tell(String what) {
        history.add("%4d %s".formatted(tick, what));
    }

    /** The simulated events, and the runs as the service stores them. */
    String history() {
        return String.join("\n", history)
                + strings(
                                """
                                select concat_ws(' ', id, state, waiting ->> 'message', failure)
                                from run where project_id = :project
                                """)
                        .stream()
                        .collect(Collectors.joining("\n", "\n", ""));
    }

    /** Records that rank 0 has completed a step. */
    void curveIsAt(RunId run, long step) {
        curves.put(run, step);
    }

    /**
     * Records that a new rank 0 resumes after a step that other ranks have completed. Steps that
     * the previous rank 0 has not completed are never reported.
     */
    void curveContinuesAfter(RunId run, long step) {
        long before = curves.getOrDefault(run, 0L);
        unreported(run, LongStream.rangeClosed(before + 1, step).boxed().toList());
        curves.put(run, step);
    }

    /** Records steps whose loss only a lost rank had. */
    void unreported(RunId run, List<Long> steps) {
        unreported.computeIfAbsent(run.toString(), _ -> new HashSet<>()).addAll(steps);
    }

    /** Asserts that each epoch is stored once, and each step of rank 0 but the unreported ones. */
    private void assertWhole(String run) {
        var view = project.run(run);
        assertThat(view.path("state").stringValue()).as("%s", view).isEqualTo("COMPLETED");
        int epochs = view.at("/configuration/training/epochs").intValue();
        assertThat(view.path("epochs").valueStream().map(it -> it.path("epoch").intValue()))
                .hasSize(epochs)
                .doesNotHaveDuplicates();
        int steps = epochs * view.path("rounds").intValue();
        assertThat(
                        project.member()
                                .get("/runs/%s/metrics".formatted(run))
                                .expect(200)
                                .path("items")
                                .valueStream()
                                .filter(it -> it.path("name").stringValue().equals("train/loss"))
                                .filter(it -> it.path("rank").intValue() == 0)
                                .mapToInt(it -> it.path("points").intValue())
                                .sum())
                .as("steps with a loss")
                .isBetween(steps - unreported.getOrDefault(run, Set.of()).size(), steps);
    }

    /** Asserts that no jump of the clock was charged: a worker is in one run at a time. */
    private void assertCharges() {
        double charged =
                database.sql(
                                """
                                select coalesce(sum(worker_seconds), 0) from usage_charge
                                where project_id = :project
                                """)
                        .param("project", UUID.fromString(project.id()))
                        .query(Double.class)
                        .single();
        Duration most = elapsed.plus(SILENCE.multipliedBy(jumps + 1L)).multipliedBy(joined);
        assertThat(charged)
                .as("worker-seconds charged for %d agents, in s", joined)
                .isLessThanOrEqualTo((double) most.toSeconds());
    }
}
