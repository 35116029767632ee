package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
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

/** One lab, from its first run to the end of its last, as a seed has it. */
final class SimulatedLab {

    private static final int AGENTS = 4;
    private static final int TROUBLED_TICKS = 40;
    private static final int MOST_TICKS = 400;
    private static final int RUNS = 2;
    private static final int ROUNDS_OF_A_LONG_TICK = 4;
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration LONG_TICK = Duration.ofSeconds(4);
    private static final Set<String> OVER = Set.of("COMPLETED", "FAILED", "CANCELLED");

    /** Twelve rounds of ten samples for each of three; goes on with two. */
    private static final String ELASTIC =
            """
            {"apiVersion": "equipoise/v1", "name": "elastic",
             "dataset": {"name": "mnist", "limit": 120},
             "network": {"layers": ["flatten", {"dense": 10}]},
             "training": {"epochs": 3, "batchSize": 10},
             "workers": {"replicas": 3, "minimum": 2}, "restarts": 100}
            """;

    /** The same, each of which has weights of its own. */
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

    private static final String WRONG =
            """
            select 'a part of what does not run: ' || assignment.id || ' of generation '
                   || assignment.generation
            from assignment join run on run.id = assignment.run_id
            where assignment.state in ('OFFERED', 'LEASED', 'PARKED')
              and run.project_id = :project
              and (assignment.generation <> run.generation
                   or run.state not in ('PLACED', 'PREPARING', 'RUNNING'))
            union all
            select 'a run of which nobody has a part: ' || run.id
            from run
            where run.state in ('PLACED', 'PREPARING', 'RUNNING') and run.project_id = :project
              and not exists (select 1 from assignment
                              where assignment.run_id = run.id
                                and assignment.state in ('OFFERED', 'LEASED', 'PARKED'))
            union all
            select 'a run that does not say why it waits: ' || run.id
            from run
            where run.state = 'QUEUED' and run.waiting is null and run.project_id = :project
            """;

    private final Random random;
    private final TestingLab lab;
    private final Duties duties;
    private final JdbcClient database;
    private final TestingLab.Project project;
    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final List<Supplier<Answer>> late = new ArrayList<>();
    private final Map<String, Integer> generations = new HashMap<>();
    private final Map<String, String> ends = new HashMap<>();
    private final List<String> runs = new ArrayList<>();
    private final Map<String, Set<Long>> untold = new HashMap<>();
    private final Map<RunId, Long> curves = new HashMap<>();
    private final List<String> story = new ArrayList<>();
    private int tick;
    private int serviceIsBackAt;
    private int joined;

    SimulatedLab(long seed, TestingLab lab, Duties duties, JdbcClient database) {
        this.random = new Random(seed);
        this.lab = lab;
        this.duties = duties;
        this.database = database;
        this.project = lab.project();
    }

    void play() {
        for (int i = 0; i < AGENTS; i++) {
            join();
        }
        List<String> definitions = new ArrayList<>(List.of(ELASTIC, RIGID, GOSSIP));
        Collections.shuffle(definitions, random);
        definitions.stream().limit(RUNS).forEach(it -> runs.add(project.submitOne(it)));
        while (!areAllOver()) {
            assertThat(tick).as("ticks until all runs are over").isLessThan(MOST_TICKS);
            tick();
        }
        // Of a run that is over without it, a rank may not know that nobody wants to hear more.
        agents.forEach(SimulatedAgent::forget);
        runs.forEach(this::assertWhole);
    }

    /** Whether things break, in ticks that are short. */
    boolean isTroubled() {
        return tick < TROUBLED_TICKS;
    }

    private void tick() {
        tick++;
        lab.clock().advance(isTroubled() ? TICK : LONG_TICK);
        if (isTroubled()) {
            breakSomething();
        } else {
            heal();
        }
        deliverLate();
        if (isServiceUp()) {
            doSomeDuties();
        }
        List<SimulatedAgent> order = new ArrayList<>(agents);
        Collections.shuffle(order, random);
        order.forEach(SimulatedAgent::act);
        if (!isTroubled()) {
            trainOn(order);
        }
        check();
    }

    /** In a long tick there is time for an epoch. */
    private static void trainOn(List<SimulatedAgent> order) {
        for (int round = 1; round < ROUNDS_OF_A_LONG_TICK; round++) {
            order.forEach(SimulatedAgent::trainOn);
        }
    }

    /** In any order, as they have threads of their own. */
    private void doSomeDuties() {
        List<Runnable> some =
                new ArrayList<>(
                        List.of(
                                duties::giveWork,
                                duties::callOffered,
                                duties::loseSilentWorkers,
                                duties::regroupOverdue));
        Collections.shuffle(some, random);
        some.subList(0, 1 + random.nextInt(some.size())).forEach(Runnable::run);
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
        int fault = random.nextInt(7);
        switch (fault) {
            case 0, 1 -> {
                victim.die();
                join();
            }
            case 2 -> victim.hangUntil(until);
            case 3 -> victim.cutOffUntil(until);
            case 4 -> serviceIsBackAt = until;
            case 5 -> lab.clock().advance(Duration.ofSeconds(until));
            default -> victim.unseenUntil(until);
        }
        tell("fault %d of %s until %d".formatted(fault, victim, until));
    }

    /** Enough agents live, and are well. */
    private void heal() {
        serviceIsBackAt = 0;
        agents.forEach(SimulatedAgent::heal);
        while (agents.stream().filter(SimulatedAgent::isAlive).count() < AGENTS) {
            join();
        }
    }

    int now() {
        return tick;
    }

    boolean isServiceUp() {
        return tick >= serviceIsBackAt;
    }

    List<SimulatedAgent> agents() {
        return agents;
    }

    /** What comes of a request: it, or its answer, may be lost, come twice, or come late. */
    Optional<Answer> send(Supplier<Answer> request) {
        if (!isServiceUp()) {
            return Optional.empty();
        }
        return switch (isTroubled() ? random.nextInt(20) : 19) {
            case 0 -> Optional.empty();
            case 1 -> {
                var _ = request.get();
                yield Optional.empty();
            }
            case 2 -> {
                var _ = request.get();
                yield Optional.of(request.get());
            }
            case 3 -> {
                late.add(request);
                yield Optional.empty();
            }
            default -> Optional.of(request.get());
        };
    }

    private void deliverLate() {
        if (isServiceUp()) {
            List<Supplier<Answer>> due =
                    late.stream().filter(_ -> !isTroubled() || random.nextBoolean()).toList();
            late.removeAll(due);
            for (Supplier<Answer> request : due) {
                var _ = request.get();
            }
        }
    }

    private record Standing(UUID id, String state, int generation) {}

    private List<Standing> standings() {
        return database.sql("select id, state, generation from run where project_id = :project")
                .param("project", UUID.fromString(project.id()))
                .query((row, _) ->
                        new Standing(
                                row.getObject("id", UUID.class),
                                row.getString("state"),
                                row.getInt("generation")))
                .list();
    }

    private boolean areAllOver() {
        return ends.size() == runs.size();
    }

    private void check() {
        for (Standing run : standings()) {
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
        assertThat(strings(WRONG)).isEmpty();
    }

    private List<String> strings(String sql) {
        return database.sql(sql)
                .param("project", UUID.fromString(project.id()))
                .query((row, _) -> row.getString(1))
                .list();
    }

    void tell(String what) {
        story.add("%4d %s".formatted(tick, what));
    }

    /** What has come to pass, and what the service says of the runs. */
    String story() {
        return String.join("\n", story)
                + strings(
                                """
                                select concat_ws(' ', id, state, waiting ->> 'message', failure)
                                from run where project_id = :project
                                """)
                        .stream()
                        .collect(Collectors.joining("\n", "\n", ""));
    }

    /** Rank 0 has ended a round. */
    void curveIsAt(RunId run, long step) {
        curves.put(run, step);
    }

    /**
     * Who is rank 0 now goes on after a round that others have ended; what the rank 0 of before has
     * not ended of them nobody tells.
     */
    void curveGoesOnAfter(RunId run, long step) {
        long before = curves.getOrDefault(run, 0L);
        untold(run, LongStream.rangeClosed(before + 1, step).boxed().toList());
        curves.put(run, step);
    }

    /** Steps of which nobody but a rank that was lost had the loss. */
    void untold(RunId run, List<Long> steps) {
        untold.computeIfAbsent(run.toString(), _ -> new HashSet<>()).addAll(steps);
    }

    /** All epochs once, and the curve of rank 0 without repeat or gap but what nobody has told. */
    private void assertWhole(String run) {
        var told = project.run(run);
        assertThat(told.path("state").stringValue()).as("%s", told).isEqualTo("COMPLETED");
        int epochs = told.at("/configuration/training/epochs").intValue();
        assertThat(told.path("epochs").valueStream().map(it -> it.path("epoch").intValue()))
                .hasSize(epochs)
                .doesNotHaveDuplicates();
        int steps = epochs * told.path("rounds").intValue();
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
                .as("rounds of which there is the loss")
                .isBetween(steps - untold.getOrDefault(run, Set.of()).size(), steps);
    }
}
