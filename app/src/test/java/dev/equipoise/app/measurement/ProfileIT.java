package dev.equipoise.app.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.RunReport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@RunningService
class ProfileIT {

    private static final Map<String, String> NETWORK = Map.of("network", "mnist-cnn");
    private static final MediaType CSV = MediaType.parseMediaType("text/csv");
    private static final Kernel STEP = new Kernel.TrainingStep("mnist-cnn");

    private final TestingLab lab;
    private final DataSource database;
    private final JdbcClient sql;

    private final SpeedCurves curves;
    private final Workers workers;

    ProfileIT(
            @Autowired TestingLab lab,
            @Autowired DataSource database,
            @Autowired SpeedCurves curves,
            @Autowired Workers workers) {
        this.lab = lab;
        this.curves = curves;
        this.workers = workers;
        this.database = database;
        this.sql = JdbcClient.create(database);
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private String request(TestingAgent agent) {
        return requested(agent).path("id").stringValue();
    }

    private JsonNode requested(TestingAgent agent) {
        return lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", NETWORK)
                .expect(202);
    }

    private JsonNode profile(String id) {
        return lab.administrator().get("/profiles/" + id).expect(200);
    }

    private static AgentEvent point(Kernel kernel, int size) {
        return new ProfileReport.PointMeasured(
                kernel, new MeasuredPoint(size, size * 0.5, 5, 0.25, 0.125));
    }

    @Test
    void refinedPointReplacesTheRoughOne() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        Assignment.Profiling work = agent.profiling();
        var rough = new MeasuredPoint(8, 0.01, 34, 0.005, 0.01);
        var refined = new MeasuredPoint(8, 0.02, 100, 0.0001, 0.01);

        agent.tell(work, new ProfileReport.PointMeasured(STEP, rough));
        double progress = profile(id).path("progress").doubleValue();
        agent.tell(work, new ProfileReport.PointMeasured(STEP, refined));

        assertThat(profile(id).at("/curves/0/points")).hasSize(1);
        assertThat(profile(id).at("/curves/0/points/0/meanSeconds").doubleValue()).isEqualTo(0.02);
        assertThat(progress).as("34 of 100 repetitions of one of 12 points").isEqualTo(0.34 / 12);
        assertThat(profile(id).path("progress").doubleValue()).isEqualTo(1.0 / 12);
    }

    @Test
    void profileIsDispatchedAndFilledPointByPoint() {
        TestingAgent agent = lab.agents(1).getFirst();
        JsonNode requested = requested(agent);
        assertThat(requested.path("state").stringValue()).isEqualTo("PENDING");
        String id = requested.path("id").stringValue();

        Assignment.Profiling work = agent.profiling();
        assertThat(work.measurements())
                .extracting(Assignment.Measurement::kernel)
                .containsExactly(STEP, new Kernel.Gemm());
        assertThat(work.precision().minRepetitions()).isEqualTo(5);
        assertThat(agent.profiling()).isEqualTo(work);
        assertThat(profile(id).path("state").stringValue()).isEqualTo("MEASURING");
        agent.tell(work, point(STEP, 16), point(STEP, 8));
        JsonNode measuring = profile(id);
        assertThat(measuring.at("/curves/0/kernel/kind").stringValue()).isEqualTo("training-step");
        assertThat(measuring.at("/curves/0/wanted/sizes")).hasSize(8);
        assertThat(measuring.at("/curves/0/points"))
                .extracting(it -> it.path("size").intValue())
                .containsExactly(8, 16);
        assertThat(measuring.at("/curves/1/points")).isEmpty();

        agent.measure(work, 0.5);

        JsonNode complete = profile(id);
        assertThat(complete.path("state").stringValue()).isEqualTo("COMPLETE");
        assertThat(complete.path("progress").doubleValue()).isEqualTo(1);
        assertThat(complete.at("/curves/0/points")).hasSize(8);
        assertThat(complete.at("/curves/1/points")).hasSize(4);
        assertThat(complete.at("/curves/1/points/0/meanSeconds").doubleValue()).isEqualTo(32);
        assertThat(complete.path("finishedAt").isNull()).isFalse();
        assertThat(
                        lab.administrator()
                                .get("/workers/" + agent.id() + "/profiles")
                                .expect(200)
                                .path("items"))
                .containsExactly(complete);
    }

    @Test
    void failureOfTheWorkerIsStored() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        agent.tell(
                agent.profiling(),
                new Outcome.Failed(FailureCause.WORKER, "out-of-memory", "no room"));

        assertThat(profile(id).path("state").stringValue()).isEqualTo("FAILED");
        assertThat(profile(id).path("failure").stringValue()).isEqualTo("out-of-memory: no room");
    }

    /** A speed function of one point would not give meaningful shares. */
    @Test
    void profileWithMissingPointsFails() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        Assignment.Profiling work = agent.profiling();
        for (int size : List.of(8, 16, 32, 64, 96, 128, 192, 256)) {
            agent.tell(work, point(STEP, size));
        }
        agent.tell(work, point(new Kernel.Gemm(), 64), new Outcome.Finished());

        assertThat(profile(id).path("state").stringValue()).isEqualTo("FAILED");
        assertThat(profile(id).path("failure").stringValue())
                .isEqualTo(
                        "the worker measured gemm at [64] instead of at all of"
                                + " Fixed[sizes=[64, 128, 256, 512]]");
    }

    @Test
    void profileOfLostWorkerFails() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        agent.profiling();
        lab.advance(Duration.ofSeconds(21), () -> {});

        await().untilAsserted(() ->
                assertThat(profile(id).path("failure").stringValue())
                        .isEqualTo("worker agent-0 was silent for 10 s"));
    }

    @Test
    void measuredTimeOfZeroIsRejected() {
        TestingAgent agent = lab.agents(1).getFirst();
        request(agent);
        Assignment work = agent.profiling();
        Answer answer =
                agent.client()
                        .post(
                                "/assignments/" + work.id() + "/events",
                                """
                                {"generation": 1, "firstSequence": 1, "events": [
                                  {"type": "point-measured", "kernel": {"kind": "gemm"},
                                   "point": {"size": 64, "meanSeconds": 0, "repetitions": 5,
                                             "confidenceSeconds": 0, "deviationSeconds": 0,
                                             "disturbed": false}}]}
                                """);

        answer.problem(400, "invalid-request");
        assertThat(answer.violations())
                .singleElement()
                .asString()
                .startsWith("/events/0/point meanSeconds must be at least 4.9E-324, but was 0.0");
    }

    @Test
    void repeatedRequestReturnsUnfinishedProfile() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        assertThat(request(agent)).isEqualTo(id);
        Assignment.Profiling work = agent.profiling();
        assertThat(request(agent)).isEqualTo(id);

        agent.tell(work, new Outcome.Finished());

        assertThat(request(agent)).isNotEqualTo(id);
    }

    /** A lock on the worker delays both requests until neither has stored a profile. */
    @Test
    void concurrentRequestsCreateOneProfile() throws Exception {
        TestingAgent agent = lab.agents(1).getFirst();
        try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = database.getConnection()) {
            other.setAutoCommit(false);
            hold(agent, other);
            Future<String> one = both.submit(() -> request(agent));
            Future<String> another = both.submit(() -> request(agent));
            await().until(() -> waiting() >= 2);
            other.rollback();

            assertThat(one.get()).isEqualTo(another.get());
        }
    }

    private static void hold(TestingAgent agent, Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select from worker where id = ?::uuid for update")) {
            statement.setString(1, agent.id().toString());
            statement.execute();
        }
    }

    /** Number of database sessions that wait for a lock. */
    private long waiting() {
        return sql.sql("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
                .query(Long.class)
                .single();
    }

    @Test
    void manyPendingProfilesDoNotBlockALaterOne() {
        String absent =
                sql.sql(
                                """
                                with seen as (
                                    insert into sight values ('nobody', '[]', now())
                                    on conflict do nothing),
                                absent as (
                                    insert into worker
                                        (id, name, state, host, labels, cluster_address, joined_at,
                                         last_seen_at, version, cordon, sight_digest)
                                    values (gen_random_uuid(), 'absent', 'LOST', '{}', '{}', 'a:1',
                                            now(), now(), 0, 'OPEN', 'nobody')
                                    returning id),
                                waiting as (
                                    insert into profile
                                        (id, session, worker_id, rank, company, load, slow_down, number, network, origin,
                                         state, host, architecture, measurements, precision, points,
                                         requested_at, version)
                                    select gen_random_uuid(), gen_random_uuid(), id, 0, 1, 100, 1, 1,
                                           'n' || number, 'MEASURED', 'PENDING', '{}', '{}', '[]', '{}', '[]',
                                           now() - interval '1 day', 0
                                    from absent, generate_series(1, 2000) as number)
                                select id from absent
                                """)
                        .query(String.class)
                        .single();
        try {
            TestingAgent agent = lab.agents(1).getFirst();
            request(agent);

            assertThat(agent.profiling().measurements()).isNotEmpty();
        } finally {
            sql.sql("delete from worker where id = :id::uuid").param("id", absent).update();
        }
    }

    @Test
    void departedWorkerIsNotProfiled() {
        TestingAgent agent = lab.agents(1).getFirst();
        agent.leave();

        assertThat(
                        lab.administrator()
                                .post("/workers/" + agent.id() + "/profiles", NETWORK)
                                .problem(409, "illegal-state")
                                .path("detail")
                                .stringValue())
                .isEqualTo("Worker %s is LEFT and cannot be profiled".formatted(agent.id()));
    }

    @Test
    void unrequestedPointIsRejected() {
        TestingAgent agent = lab.agents(1).getFirst();
        request(agent);
        Assignment work = agent.profiling();

        agent.report(work, point(STEP, 9)).problem(400, "invalid-request");
        agent.report(work, point(new Kernel.TrainingStep("another"), 8))
                .problem(400, "invalid-request");
        agent.tell(work, point(STEP, 8));
    }

    @Test
    void eventsOfRunsAreRejected() {
        TestingAgent agent = lab.agents(1).getFirst();
        request(agent);

        agent.report(agent.profiling(), new RunReport.RoundReached(0, 1, 1))
                .problem(400, "invalid-request");
    }

    private JsonNode requestTogether(TestingAgent one, TestingAgent other) {
        return lab.administrator()
                .post(
                        "/workers/" + one.id() + "/profiles",
                        Map.of("network", "mnist-cnn", "company", List.of(other.id())))
                .expect(202);
    }

    @Test
    void coLocatedWorkersMeasureTogether() {
        List<TestingAgent> agents = lab.agents(2);
        JsonNode requested = requestTogether(agents.getFirst(), agents.getLast());
        assertThat(requested.path("company").intValue()).isEqualTo(2);

        Assignment.Profiling one = agents.getFirst().profiling();
        Assignment.Profiling other = agents.getLast().profiling();

        assertThat(one.peers()).isEqualTo(other.peers()).hasSize(2);
        assertThat(one.session()).isEqualTo(other.session());
        assertThat(one.key()).isEqualTo(other.key()).hasSize(44);
        assertThat(List.of(one.rank(), other.rank())).containsExactlyInAnyOrder(0, 1);
        agents.getFirst().measure(one, 0.5);
        assertThat(profile(requested.path("id").stringValue()).path("state").stringValue())
                .isEqualTo("COMPLETE");
        agents.getLast().measure(other, 0.5);
    }

    @Test
    void lostWorkerCancelsProfilesOfItsSession() {
        List<TestingAgent> agents = lab.agents(2);
        String id = requestTogether(agents.getFirst(), agents.getLast()).path("id").stringValue();
        Assignment.Profiling one = agents.getFirst().profiling();
        agents.getLast().profiling();

        agents.getLast().leave();

        assertThat(profile(id).path("state").stringValue()).isEqualTo("CANCELLED");
        assertThat(profile(id).path("failure").stringValue())
                .isEqualTo(
                        "canceled with the profile of worker %s: worker agent-1 left"
                                .formatted(agents.getLast().id()));
        agents.getFirst().report(one, point(STEP, 8)).problem(409, "stale-generation");
    }

    private Answer cancel(String id) {
        return lab.administrator().post("/profiles/" + id + "/cancel");
    }

    private String otherOf(JsonNode requested, TestingAgent other) {
        JsonNode items =
                lab.administrator()
                        .get("/workers/" + other.id() + "/profiles")
                        .expect(200)
                        .path("items");
        assertThat(items)
                .singleElement()
                .extracting(it -> it.path("session"))
                .isEqualTo(requested.path("session"));
        return items.path(0).path("id").stringValue();
    }

    @Test
    void administratorCancelsAllProfilesOfASession() {
        List<TestingAgent> agents = lab.agents(2);
        JsonNode requested = requestTogether(agents.getFirst(), agents.getLast());
        String id = requested.path("id").stringValue();
        String other = otherOf(requested, agents.getLast());
        Assignment.Profiling one = agents.getFirst().profiling();
        Assignment.Profiling another = agents.getLast().profiling();
        agents.getFirst().tell(one, point(STEP, 8));

        lab.project().member().post("/profiles/" + id + "/cancel").problem(403, "forbidden");
        JsonNode canceled = cancel(other).expect(200);

        assertThat(canceled.path("id").stringValue()).isEqualTo(other);
        assertThat(List.of(canceled, profile(id)))
                .allSatisfy(it -> {
                    assertThat(it.path("state").stringValue()).isEqualTo("CANCELLED");
                    assertThat(it.path("failure").isNull()).as("nothing has failed").isTrue();
                    assertThat(it.path("finishedAt").isNull()).isFalse();
                });
        agents.getFirst().report(one, point(STEP, 16)).problem(409, "stale-generation");
        agents.getLast().report(another, point(STEP, 8)).problem(409, "stale-generation");
        agents.forEach(agent -> agent.lease(0).expect(204));
        request(agents.getFirst());
        agents.getFirst().measure(agents.getFirst().profiling(), 0.5);
    }

    @Test
    void pendingProfileIsCanceledWithoutInterruptingItsWorker() {
        TestingAgent agent = lab.agents(1).getFirst();
        request(agent);
        Assignment.Profiling work = agent.profiling();
        String waiting =
                lab.administrator()
                        .post(
                                "/workers/" + agent.id() + "/profiles",
                                Map.of("network", "cifar-cnn"))
                        .expect(202)
                        .path("id")
                        .stringValue();

        assertThat(cancel(waiting).expect(200).path("state").stringValue()).isEqualTo("CANCELLED");

        agent.measure(work, 0.5);
        agent.lease(1).expect(204);
    }

    /** An agent that has not leased the assignment has nothing to stop. */
    @Test
    void canceledProfileReleasesItsWorkers() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        await().until(() -> state(agent).equals("BUSY"));

        cancel(id).expect(200);

        assertThat(state(agent)).isEqualTo("IDLE");
        agent.lease(0).expect(204);
    }

    private String state(TestingAgent agent) {
        return lab.administrator()
                .get("/workers/" + agent.id())
                .expect(200)
                .path("state")
                .stringValue();
    }

    @Test
    void finishedProfileOutlastsCancellationOfItsSession() {
        List<TestingAgent> agents = lab.agents(2);
        JsonNode requested = requestTogether(agents.getFirst(), agents.getLast());
        String id = requested.path("id").stringValue();
        agents.getFirst().measure(agents.getFirst().profiling(), 0.5);
        agents.getLast().profiling();

        assertThat(cancel(id).problem(409, "illegal-state").path("detail").stringValue())
                .isEqualTo("Profile %s is COMPLETE and cannot be canceled".formatted(id));
        cancel(otherOf(requested, agents.getLast())).expect(200);

        assertThat(profile(id).path("state").stringValue()).isEqualTo("COMPLETE");
    }

    @Test
    void finishedProfileCannotBeCanceled() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        cancel(id).expect(200);

        assertThat(cancel(id).problem(409, "illegal-state").path("detail").stringValue())
                .isEqualTo("Profile %s is CANCELLED and cannot be canceled".formatted(id));
        cancel(UUID.randomUUID().toString()).problem(404, "not-found");
    }

    @Test
    void workersOfDifferentHostsCannotMeasureTogether() {
        TestingAgent one = lab.agents(1).getFirst();
        TestingAgent far = lab.join(TestingLab.onHost("far", "other"));

        assertThat(
                        lab.administrator()
                                .post(
                                        "/workers/" + one.id() + "/profiles",
                                        Map.of(
                                                "network",
                                                "mnist-cnn",
                                                "company",
                                                List.of(far.id())))
                                .violations())
                .containsExactly("/company must be workers of one host");
    }

    @Test
    void requestSetsPointsAndPrecision() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id =
                lab.administrator()
                        .post(
                                "/workers/" + agent.id() + "/profiles",
                                """
                                {"network": "mnist-cnn",
                                 "points": {"kind": "adaptive", "from": 4, "to": 64, "accuracy": 0.1, "most": 5},
                                 "precision": {"minRepetitions": 3, "maxRepetitions": 30, "confidence": 0.9,
                                               "relativeError": 0.05, "secondsPerPoint": 1}}
                                """)
                        .expect(202)
                        .path("id")
                        .stringValue();
        Assignment.Profiling work = agent.profiling();

        assertThat(work.measurements().getFirst().points())
                .isEqualTo(new Points.Adaptive(4, 64, 0.1, 5));
        assertThat(work.precision()).isEqualTo(new Precision(3, 30, 0.9, 0.05, 1));
        for (int size : List.of(4, 64, 16, 8, 32)) {
            agent.tell(work, point(STEP, size));
        }
        agent.report(work, point(STEP, 20)).problem(400, "invalid-request");
        for (int side : List.of(64, 128, 256, 512)) {
            agent.tell(work, point(new Kernel.Gemm(), side));
        }
        agent.tell(work, new Outcome.Finished());

        assertThat(profile(id).at("/curves/0/points")).hasSize(5);
        assertThat(profile(id).path("state").stringValue()).isEqualTo("COMPLETE");
    }

    @Test
    void invalidPointsAreRejected() {
        TestingAgent agent = lab.agents(1).getFirst();

        assertThat(
                        lab.administrator()
                                .post(
                                        "/workers/" + agent.id() + "/profiles",
                                        """
                                        {"network": "mnist-cnn",
                                         "points": {"kind": "fixed", "sizes": [16, 8]}}
                                        """)
                                .violations())
                .singleElement()
                .asString()
                .startsWith("/points sizes must ascend, but are [16, 8]");
    }

    @Test
    void profilesAreNumberedByWorkerAndNetwork() {
        TestingAgent agent = lab.agents(1).getFirst();
        String first = request(agent);
        agent.measure(agent.profiling(), 0.5);
        String second = request(agent);

        assertThat(profile(first).path("number").intValue()).isEqualTo(1);
        assertThat(profile(second).path("number").intValue()).isEqualTo(2);
    }

    private List<MeasuredPoint> newest(TestingAgent agent, HostLoad load) {
        return curves.newest(
                        workers.live().stream()
                                .filter(worker -> worker.id().equals(agent.id()))
                                .findFirst()
                                .orElseThrow(),
                        new Kernel.TrainingStep("mnist-cnn"),
                        load)
                .points();
    }

    @Test
    void profileAppliesOnlyToItsLoadHostAndAge() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        assertThat(newest(agent, HostLoad.ALONE)).isEmpty();
        agent.measure(agent.profiling(), 0.5);
        assertThat(newest(agent, HostLoad.ALONE)).hasSize(8);
        assertThat(newest(agent, new HostLoad(133))).isEmpty();

        change(id, "host = jsonb_set(host, '{threads}', '8')");
        assertThat(newest(agent, HostLoad.ALONE)).as("measured with 8 threads").isEmpty();
        change(id, "host = jsonb_set(host, '{threads}', '2')");
        assertThat(newest(agent, HostLoad.ALONE)).hasSize(8);

        change(id, "finished_at = finished_at - interval '8 days'");
        assertThat(newest(agent, HostLoad.ALONE)).isEmpty();
    }

    private void change(String profile, String what) {
        sql.sql("update profile set " + what + " where id = ?::uuid").param(profile).update();
    }

    @Test
    void exportedFileIsImported() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        Assignment.Profiling work = agent.profiling();
        agent.tell(
                work,
                new ProfileReport.PointMeasured(
                        STEP, new MeasuredPoint(16, 0.25, 7, 0.125, 0.0625, true)));
        agent.tell(work, point(STEP, 8));

        assertThat(profile(id).at("/curves/0/points"))
                .extracting(it -> it.path("disturbed").booleanValue())
                .containsExactly(false, true);

        String file = lab.administrator().text("/profiles/" + id + "/curve").body();

        assertThat(file.lines().filter(line -> !line.startsWith("# date")))
                .containsExactly(
                        "# kernel: training-step:mnist-cnn",
                        "# host: host",
                        "# device: oneDNN",
                        "# threads: 2",
                        "# slow-down: 1.5",
                        "# load: 100",
                        "# disturbed: 16",
                        "size,mean_s,reps,ci_s,sd_s",
                        "8,4.0,5,0.25,0.125",
                        "16,0.25,7,0.125,0.0625");
        JsonNode imported =
                lab.administrator()
                        .call(HttpMethod.POST, "/workers/" + agent.id() + "/profiles", file, CSV)
                        .expect(201);
        assertThat(imported.path("state").stringValue()).isEqualTo("COMPLETE");
        assertThat(imported.path("origin").stringValue()).isEqualTo("IMPORTED");
        assertThat(imported.at("/curves/0/points")).isEqualTo(profile(id).at("/curves/0/points"));
    }

    @Test
    void importReportsAllViolations() {
        TestingAgent agent = lab.agents(1).getFirst();

        assertThat(
                        lab.administrator()
                                .call(
                                        HttpMethod.POST,
                                        "/workers/" + agent.id() + "/profiles",
                                        """
                                        # kernel: training-step:vgg
                                        # load: none
                                        size,mean_s,reps,ci_s,sd_s
                                        8,0.5,5,0,0
                                        8,0.5,5,0,0
                                        16,-1,5,0,0
                                        32,x,5,0,0
                                        64
                                        128,2e30,5,0,0
                                        """,
                                        CSV)
                                .violations())
                .containsExactly(
                        "/lines/5 sizes must ascend",
                        "/lines/6 meanSeconds must be at least 4.9E-324, but was -1.0",
                        "/lines/7 must hold only numbers",
                        "/lines/8 must have the 5 fields size,mean_s,reps,ci_s,sd_s",
                        "/lines/9 times must be at most 1.0E30 s",
                        "/header/load must be a percentage of at least 100",
                        "/header/date must be like 2026-11-22T10:00:00Z",
                        "/header/kernel must name a network that has a preset or a profile");
    }

    @Test
    void unknownNetworkIsRejected() {
        TestingAgent agent = lab.agents(1).getFirst();

        assertThat(
                        lab.administrator()
                                .post(
                                        "/workers/" + agent.id() + "/profiles",
                                        Map.of("network", "vgg"))
                                .violations())
                .containsExactly(
                        "/network must be one of [cifar-cnn, cifar-quick, feed-forward-lm, lstm-lm,"
                                + " mlp-203-100-26, mlp-784-512-10, mnist-cnn, rnn-lm]");
    }
}
