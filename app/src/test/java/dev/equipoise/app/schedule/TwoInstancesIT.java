package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.app.dispatch.BestEffort;
import dev.equipoise.app.dispatch.SchedulerLease;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.testing.Patience;
import dev.equipoise.testing.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests two instances of the service on one database with agents that die, lose their assignments,
 * leave and return, each over a random instance. The invariants are checked in the database, where
 * a trigger logs each written run and assignment in order and with its transaction.
 */
@RunningService
class TwoInstancesIT {

    private static final Logger log = LoggerFactory.getLogger(TwoInstancesIT.class);
    private static final String DATABASE = "two_instances";

    /** Codes of answers to requests that met concurrent changes. */
    private static final Set<String> CONFLICTS = Set.of("conflict", "busy");

    private static final int AGENTS = 20;

    /** Number of runs; the nightly run sets 200. */
    private static final int RUNS = Integer.getInteger("equipoise.instances.runs", 60);

    private static final int MAX_REPLICAS = 4;
    private static final int PROJECTS = 4;

    /** Experiments of a project, of both kinds. */
    private static final int EXPERIMENTS = 5;

    /** Settings of both instances: short session timeout, short preemption delay. */
    private static final Map<String, Object> SETTINGS =
            Map.of(
                    "equipoise.worker.silence", "3s",
                    "equipoise.schedule.period", "150ms",
                    "equipoise.schedule.preempt-after", "100ms",
                    "equipoise.schedule.spare-for", "0s",
                    // No decay: the test compares usage with the sum of the charges.
                    "equipoise.schedule.half-life", "36500d",
                    "logging.level.dev.equipoise", "error");

    private static final String NOTES =
            """
            create table noted (
                id bigint generated always as identity primary key,
                kind text, run_id uuid, generation integer, state text, written_by xid8);
            create function note() returns trigger language plpgsql as $$
            begin
                insert into noted (kind, run_id, generation, state, written_by)
                values (tg_table_name, case tg_table_name when 'run' then (to_jsonb(new) ->> 'id')::uuid
                                            else (to_jsonb(new) ->> 'run_id')::uuid end,
                        new.generation, new.state, pg_current_xact_id());
                return new;
            end $$;
            create trigger note_run after insert or update on run for each row execute function note();
            create trigger note_assignment after insert on assignment for each row execute function note();
            """;

    @TempDir private static Path folder;

    private final JdbcConnectionDetails server;
    private final JdbcClient outside;
    private final JsonMapper json;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(12);
    private final List<TestingInstance> instances = new ArrayList<>();
    private final Set<WorkerId> alive = ConcurrentHashMap.newKeySet();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean chaos = new AtomicBoolean(true);

    /** The progress of rank 0 by generation; the other ranks follow it. */
    private final Map<String, LeaderProgress> leaders = new ConcurrentHashMap<>();

    private record LeaderProgress(int epoch, boolean isStopping) {}

    /** The ranks that have uploaded their checkpoint part, by generation and epoch. */
    private final Map<String, Set<Integer>> uploaded = new ConcurrentHashMap<>();

    /** A kind of run; priorities are up to 100 above {@code minPriority}. */
    private record Kind(int experiments, int epochs, int minPriority, boolean isPreemptible) {

        /** Long runs, which still train when the urgent ones arrive. */
        static final Kind PATIENT = new Kind(2, 6, -100, true);

        static final Kind URGENT = new Kind(3, 2, 0, false);

        String definition(Random random) {
            return """
            {"apiVersion": "equipoise/v1", "name": "some", "dataset": {"name": "mnist", "limit": 60},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": %d, "batchSize": 10},
             "workers": {"replicas": %d}, "restarts": 0, "priority": %d, "preemption": "%s",
             "seeds": %s}
            """
                    .formatted(
                            epochs,
                            1 + random.nextInt(MAX_REPLICAS),
                            minPriority + random.nextInt(101),
                            isPreemptible ? "allowed" : "never",
                            IntStream.rangeClosed(1, RUNS / (PROJECTS * EXPERIMENTS))
                                    .boxed()
                                    .toList());
        }
    }

    TwoInstancesIT(
            @Autowired JdbcConnectionDetails server,
            @Autowired JdbcClient outside,
            @Autowired JsonMapper json) {
        this.server = server;
        this.outside = outside;
        this.json = json;
    }

    @BeforeEach
    void start() {
        dropDatabase();
        outside.sql("create database " + DATABASE).update();
        for (int number = 0; number < 2; number++) {
            instances.add(
                    TestingInstance.start(server, DATABASE, folder.resolve("token"), SETTINGS));
        }
        database().sql(NOTES).update();
    }

    @AfterEach
    void stop() throws InterruptedException {
        threads.shutdownNow();
        try {
            assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            instances.forEach(TestingInstance::close);
            dropDatabase();
        }
    }

    /** Drops the database, also that of a killed test. */
    private void dropDatabase() {
        outside.sql("drop database if exists %s with (force)".formatted(DATABASE)).update();
    }

    private JdbcClient database() {
        return instances.getFirst().bean(JdbcClient.class);
    }

    @Test
    void everyRunIsPlacedOnceDespiteFailingAgents() {
        long seed = Seeds.seed();
        log.info("seed {}", seed);
        Random random = new Random(seed);
        List<String> projects = projects(random);
        int patient = submitRuns(Kind.PATIENT, projects, random);
        for (int number = 0; number < AGENTS; number++) {
            threads.execute(new ScriptedAgent("agent-" + number, new Random(random.nextLong())));
        }
        watch();
        overlapPasses();
        await().until(() ->
                count("select count(*) from run where state in ('RUNNING', 'COMPLETED', 'FAILED')")
                        > 4);
        int queued = patient + submitRuns(Kind.URGENT, projects, random);

        awaitEnds(queued);

        checkForDuplicates();
        assertThat(violations).as("seed %d", seed).isEmpty();
        assertThat(count("select count(*) from run")).isEqualTo(RUNS).isEqualTo(queued);
        // Agents are stable during the last quarter, so that some runs complete on any machine.
        assertThat(count("select count(*) from run where state = 'COMPLETED'")).isPositive();
        log.info(
                "generations: {}",
                database()
                        .sql(
                                "select generation || ' ' || state || ' ' || count(*) from run group by generation, state order by 1")
                        .query(String.class)
                        .list());
        assertNoRunIsLost();
        assertGenerationsGrow();
        assertCompletedRunsHaveAllEpochs();
        assertAllRanksArePlacedAtOnce();
        assertUsageIsChargedOnce();
    }

    private List<String> projects(Random random) {
        return IntStream.range(0, PROJECTS)
                .mapToObj(number -> created("/projects", Map.of("name", "p" + number), random))
                .toList();
    }

    private int submitRuns(Kind kind, List<String> projects, Random random) {
        int queued = 0;
        for (String project : projects) {
            for (int number = 0; number < kind.experiments(); number++) {
                String experiment =
                        created(
                                "/projects/" + project + "/experiments",
                                kind.definition(random),
                                random);
                queued +=
                        instance(random)
                                .administrator()
                                .post("/experiments/" + experiment + "/runs")
                                .expect(202)
                                .path("items")
                                .size();
            }
        }
        return queued;
    }

    private String created(String path, Object body, Random random) {
        return instance(random)
                .administrator()
                .post(path, body)
                .expect(201)
                .path("id")
                .stringValue();
    }

    private TestingInstance instance(Random random) {
        return instances.get(random.nextInt(instances.size()));
    }

    private int open() {
        return count(
                "select count(*) from run where state not in ('COMPLETED', 'FAILED', 'CANCELLED')");
    }

    /** Waits until all runs have ended; faults end after three quarters of them. */
    private void awaitEnds(int queued) {
        int open = open();
        while (open > 0) {
            if (open < queued / 4) {
                chaos.set(false);
            }
            int before = open;
            await().pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() ->
                            assertThat(open())
                                    .as("unfinished runs; %s", violations)
                                    .isLessThan(before));
            open = open();
        }
    }

    private int count(String sql) {
        return database().sql(sql).query(Integer.class).single();
    }

    /** Makes passes on both instances with the current lease, whichever instance has it. */
    private void overlapPasses() {
        for (TestingInstance instance : instances) {
            Scheduler scheduler = instance.bean(Scheduler.class);
            Future<?> _ =
                    threads.scheduleWithFixedDelay(
                            () -> BestEffort.call(() -> scheduler.pass(currentLease())),
                            0,
                            400,
                            TimeUnit.MILLISECONDS);
        }
    }

    private SchedulerLease.Token currentLease() {
        return new SchedulerLease.Token(
                database().sql("select number from queue_turn").query(Long.class).single());
    }

    private void watch() {
        Future<?> _ =
                threads.scheduleWithFixedDelay(
                        () -> {
                            try {
                                checkForDuplicates();
                            } catch (RuntimeException failure) {
                                log.warn("the assignments could not be checked", failure);
                            }
                        },
                        0,
                        100,
                        TimeUnit.MILLISECONDS);
    }

    private void checkForDuplicates() {
        note(
                "workers with two open assignments",
                """
                select count(*) from (select from assignment where state in ('OFFERED', 'LEASED')
                                      group by worker_id having count(*) > 1) as twice
                """);
        note(
                "runs with two open generations",
                """
                select count(*) from (select from assignment where state in ('OFFERED', 'LEASED')
                                      group by run_id having count(distinct generation) > 1) as twice
                """);
        note(
                "idle workers with an open assignment",
                """
                select count(*) from worker join assignment on worker_id = worker.id
                where worker.state = 'IDLE' and assignment.state in ('OFFERED', 'LEASED')
                """);
    }

    private void note(String what, String sql) {
        int found = count(sql);
        if (found > 0) {
            violations.add("%d %s".formatted(found, what));
        }
    }

    private void assertNoRunIsLost() {
        assertThat(
                        database()
                                .sql(
                                        "select distinct failure ->> 'code' from run where state = 'FAILED'")
                                .query(String.class)
                                .list())
                .as("failure codes that dying agents can cause")
                .isSubsetOf("worker-gone", "assignment-lost");
        assertThat(count("select count(*) from assignment where state in ('OFFERED', 'LEASED')"))
                .isZero();
    }

    private void assertGenerationsGrow() {
        assertThat(
                        count(
                                """
                                select count(*)
                                from (select generation < lag(generation) over w
                                          or lag(state) over w in ('COMPLETED', 'FAILED')
                                             and state <> lag(state) over w as is_wrong
                                      from noted where kind = 'run'
                                      window w as (partition by run_id order by id)) as steps
                                where is_wrong
                                """))
                .isZero();
    }

    private void assertCompletedRunsHaveAllEpochs() {
        assertThat(
                        count(
                                """
                                select count(*) from run
                                where state = 'COMPLETED'
                                  and (select count(*) from epoch_result where run_id = run.id and epoch <= (configuration #>> '{training,epochs}')::integer)
                                      <> (configuration #>> '{training,epochs}')::integer
                                         * (configuration #>> '{workers,replicas}')::integer
                                """))
                .as("completed runs without an epoch of a rank")
                .isZero();
    }

    private void assertAllRanksArePlacedAtOnce() {
        assertThat(
                        count(
                                """
                                select count(*)
                                from (select from noted join run on run.id = run_id
                                      where kind = 'assignment'
                                      group by run_id, noted.generation, configuration
                                      having count(distinct written_by) <> 1
                                          or count(*) <> (configuration #>> '{workers,replicas}')::integer) as parts
                                """))
                .isZero();
    }

    private void assertUsageIsChargedOnce() {
        assertThat(
                        count(
                                """
                                select count(*) from run
                                where (generation > 0)
                                      <> exists (select from usage_charge where run_id = run.id)
                                """))
                .isZero();
        assertThat(
                        database()
                                .sql("select sum(worker_seconds) from project_usage")
                                .query(Double.class)
                                .single())
                .isCloseTo(
                        database()
                                .sql("select sum(worker_seconds) from usage_charge")
                                .query(Double.class)
                                .single(),
                        within(0.5));
    }

    /** Sends the requests of an agent step by step; fails at random while faults are on. */
    private final class ScriptedAgent implements Runnable {

        private static final int STEP_MILLIS = 20;

        /** Long enough for several scheduling passes to see a run train. */
        private static final int EPOCH_MILLIS = 250;

        private static final int IDLE_MILLIS = 150;
        private static final long BEAT_NANOS = Duration.ofMillis(600).toNanos();
        private static final int DEATH_MILLIS = 4500;

        private final String name;
        private final Random random;
        private @Nullable Registration self;
        private @Nullable WorkerId id;
        private Assignment.@Nullable Training part;
        private int sequence;
        private int epoch;
        private long beaten;

        ScriptedAgent(String name, Random random) {
            this.name = name;
            this.random = random;
        }

        @Override
        public void run() {
            int pause = STEP_MILLIS;
            try {
                pause = step();
            } catch (RuntimeException | AssertionError failure) {
                violations.add(name + ": " + failure);
            }
            if (!threads.isShutdown()) {
                Future<?> _ = threads.schedule(this, pause, TimeUnit.MILLISECONDS);
            }
        }

        private int step() {
            if (id == null) {
                join();
                return STEP_MILLIS;
            }
            if (System.nanoTime() - beaten > BEAT_NANOS) {
                beat();
            }
            if (chaos.get() && random.nextInt(30) == 0) {
                return misbehave();
            }
            if (part != null) {
                reportNext(part);
                return EPOCH_MILLIS;
            }
            lease();
            return part == null ? IDLE_MILLIS : STEP_MILLIS;
        }

        private void join() {
            Registration registration = TestingLab.registration(name);
            String token =
                    instance(random)
                            .administrator()
                            .post("/join-tokens", Map.of())
                            .expect(201)
                            .path("token")
                            .stringValue();
            JsonNode admission =
                    instance(random).client(token).post("/agents", registration).expect(201);
            self = registration;
            id = json.treeToValue(admission, Admission.class).worker();
            part = null;
            alive.add(id);
            beat();
        }

        /** Stays silent beyond the session timeout, leaves, or loses its assignment. */
        private int misbehave() {
            part = null;
            int how = random.nextInt(3);
            if (how == 0) {
                return DEATH_MILLIS;
            }
            if (how == 1) {
                alive.remove(id);
                client().delete("/agents/" + id);
                id = null;
            }
            return STEP_MILLIS;
        }

        private TestingClient client() {
            return instance(random).client(Objects.requireNonNull(self).credential().text());
        }

        private void beat() {
            beaten = System.nanoTime();
            expect(
                    client().post(
                                    "/agents/" + id + "/heartbeat",
                                    new Heartbeat(name + ":5701", Set.copyOf(alive), false)),
                    200);
        }

        private void lease() {
            Answer answer = client().post("/agents/" + id + "/lease?wait=0");
            if (answer.status() == 200) {
                part = json.treeToValue(answer.body(), Assignment.Training.class);
                sequence = 0;
            } else {
                expect(answer, 204);
            }
        }

        /** Reports that it is ready, then each epoch as rank 0 leads, then its end. */
        private void reportNext(Assignment.Training training) {
            LeaderProgress leader =
                    leaders.getOrDefault(
                            generation(training), new LeaderProgress(begunAfter(training), false));
            if (sequence == 0) {
                epoch = begunAfter(training);
                tell(training, ready(training));
            } else if (leader.isStopping() && leader.epoch() == epoch) {
                stop(training);
            } else if (epoch == epochs(training)) {
                end(tell(training, new Outcome.Finished()));
            } else if (training.rank() == 0) {
                lead(training);
            } else if (leader.epoch() > epoch) {
                epoch += isTaken(tell(training, epoch(training, epoch + 1))) ? 1 : 0;
            } else {
                tell(training, new RunReport.RoundReached(training.rank(), epoch + 1, 1));
            }
        }

        private void lead(Assignment.Training training) {
            Answer answer = tell(training, epoch(training, epoch + 1));
            if (isTaken(answer)) {
                epoch++;
                boolean isStopping =
                        epoch < epochs(training)
                                && answer.body().path("preempt").booleanValue(false);
                leaders.put(generation(training), new LeaderProgress(epoch, isStopping));
            }
        }

        /** Stops once all ranks have uploaded their parts; continues if a part is rejected. */
        private void stop(Assignment.Training training) {
            Set<Integer> ranks =
                    uploaded.computeIfAbsent(
                            generation(training) + " " + epoch, _ -> ConcurrentHashMap.newKeySet());
            if (ranks.size() == training.peers().size()) {
                end(tell(training, new Outcome.Preempted(training.rank(), epoch)));
            } else if (ranks.contains(training.rank())) {
                tell(training, new RunReport.RoundReached(training.rank(), epoch + 1, 1));
            } else if (upload(training)) {
                ranks.add(training.rank());
            } else {
                leaders.replace(
                        generation(training),
                        new LeaderProgress(epoch, true),
                        new LeaderProgress(epoch, false));
            }
        }

        /** Uploads its part; false if the service has canceled the preemption. */
        private boolean upload(Assignment.Training training) {
            Answer answer =
                    client().put(
                                    "/assignments/%s/checkpoints/%d"
                                            .formatted(training.id(), epoch),
                                    TestingCheckpoints.file(training, epoch));
            if (answer.status() != 409) {
                expect(answer, 204);
            }
            return answer.status() == 204;
        }

        /** Reports an event; drops an assignment of a stale generation. */
        private Answer tell(Assignment.Training training, AgentEvent event) {
            Answer answer =
                    client().post(
                                    "/assignments/" + training.id() + "/events",
                                    new Report(
                                            training.generation(), sequence + 1, List.of(event)));
            if (isTaken(answer)) {
                sequence++;
            } else {
                expect(answer, 409);
            }
            if (answer.body().path("code").stringValue("").equals("stale-generation")) {
                part = null;
            }
            return answer;
        }

        private void end(Answer answer) {
            if (isTaken(answer)) {
                part = null;
            }
        }

        private static int epochs(Assignment.Training training) {
            return training.plan().epochs();
        }

        private static boolean isTaken(Answer answer) {
            return answer.status() == 200 || answer.status() == 204;
        }

        private static String generation(Assignment.Training training) {
            return training.run() + " " + training.generation();
        }

        private static int begunAfter(Assignment.Training training) {
            return training.checkpointing() == null ? 0 : training.checkpointing().after();
        }

        /** The checksum of the weights at its start is that of the end of the previous epoch. */
        private static AgentEvent ready(Assignment.Training training) {
            return new RunReport.ReplicaReady(
                    training.rank(), 0.001, begunAfter(training) == 0 ? "start" : "same");
        }

        private static AgentEvent epoch(Assignment.Training training, int epoch) {
            return TestingEpochs.ofRank(
                    training.rank(),
                    TestingEpochs.epoch(
                            epoch,
                            training.plan().division().shares().get(training.rank()),
                            0.01,
                            0.001,
                            0.001,
                            0.012,
                            100,
                            0.5,
                            new EpochFinished.TestScore(0.9, 0.4),
                            "same"));
        }

        /** Records an unexpected status; conflicts are expected, and the agent retries. */
        private void expect(Answer answer, int status) {
            if (answer.status() != status
                    && !CONFLICTS.contains(answer.body().path("code").stringValue(""))) {
                violations.add("%s: %d %s".formatted(name, answer.status(), answer.body()));
            }
        }
    }
}
