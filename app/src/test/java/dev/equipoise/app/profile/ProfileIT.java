package dev.equipoise.app.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@RunningService
class ProfileIT {

    private static final Map<String, String> NETWORK = Map.of("network", "mnist-cnn");
    private static final Kernel STEP = new Kernel.TrainingStep("mnist-cnn");

    private final TestingLab lab;
    private final DataSource database;
    private final JdbcClient sql;

    ProfileIT(@Autowired TestingLab lab, @Autowired DataSource database) {
        this.lab = lab;
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
        return new AgentEvent.PointMeasured(
                kernel, new MeasuredPoint(size, size * 0.5, 5, 0.25, 0.125));
    }

    @Test
    void aPointThatIsMeasuredOnTakesThePlaceOfTheRougherOne() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        Assignment.Profiling work = agent.profiling();
        var rough = new MeasuredPoint(8, 0.01, 34, 0.005, 0.01);
        var refined = new MeasuredPoint(8, 0.02, 100, 0.0001, 0.01);

        agent.tell(work, new AgentEvent.PointMeasured(STEP, rough));
        double progress = profile(id).path("progress").doubleValue();
        agent.tell(work, new AgentEvent.PointMeasured(STEP, refined));

        assertThat(profile(id).at("/curves/0/points")).hasSize(1);
        assertThat(profile(id).at("/curves/0/points/0/meanSeconds").doubleValue()).isEqualTo(0.02);
        assertThat(progress).as("34 of 100 repetitions of one of 12 points").isEqualTo(0.34 / 12);
        assertThat(profile(id).path("progress").doubleValue()).isEqualTo(1.0 / 12);
    }

    @Test
    void aProfileGoesToItsWorkerAndFillsPointByPoint() {
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
        assertThat(measuring.at("/curves/0/sizes")).hasSize(8);
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
    void aWorkerThatCannotMeasureSaysWhy() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        agent.tell(
                agent.profiling(),
                new AgentEvent.Failed(FailureCause.WORKER, "out-of-memory", "no room"));

        assertThat(profile(id).path("state").stringValue()).isEqualTo("FAILED");
        assertThat(profile(id).path("failure").stringValue()).isEqualTo("out-of-memory: no room");
    }

    /** A speed function of one point is no function: the shares would be equal by chance. */
    @Test
    void aProfileThatLeavesOutAPointIsNotComplete() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        Assignment.Profiling work = agent.profiling();
        for (int size : work.measurements().getFirst().sizes()) {
            agent.tell(work, point(STEP, size));
        }
        agent.tell(work, point(new Kernel.Gemm(), 64), new AgentEvent.Finished());

        assertThat(profile(id).path("state").stringValue()).isEqualTo("FAILED");
        assertThat(profile(id).path("failure").stringValue())
                .isEqualTo("the worker left out 3 of 4 points of gemm");
    }

    @Test
    void theProfileOfALostWorkerFails() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        agent.profiling();
        lab.clock().advance(Duration.ofSeconds(11));

        await().untilAsserted(() ->
                assertThat(profile(id).path("failure").stringValue())
                        .isEqualTo("worker agent-0 was silent for 10 s"));
    }

    @Test
    void aTimeOfNothingIsNoMeasurement() {
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
                                             "confidenceSeconds": 0, "deviationSeconds": 0}}]}
                                """);

        answer.problem(400, "invalid-request");
        assertThat(answer.violations())
                .singleElement()
                .asString()
                .startsWith("/events/0/point meanSeconds must be at least 4.9E-324, but was 0.0");
    }

    @Test
    void aProfileThatIsUnderWayIsNotAskedForTwice() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id = request(agent);
        assertThat(request(agent)).isEqualTo(id);
        Assignment.Profiling work = agent.profiling();
        assertThat(request(agent)).isEqualTo(id);

        agent.tell(work, new AgentEvent.Finished());

        assertThat(request(agent)).isNotEqualTo(id);
    }

    /** Both are on their way before either can have stored anything. */
    @Test
    void requestsThatComeAtOnceAreOneProfile() throws Exception {
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

    /** How many wait for somebody else's lock. */
    private long waiting() {
        return sql.sql("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
                .query(Long.class)
                .single();
    }

    @Test
    void manyProfilesThatWaitDoNotHideTheOneBehindThem() {
        String absent =
                sql.sql(
                                """
                                with absent as (
                                    insert into worker
                                    values (gen_random_uuid(), 'absent', 'LOST', '{}', '{}', 'a:1',
                                            '[]', now(), now(), 0)
                                    returning id),
                                waiting as (
                                    insert into profile
                                    select gen_random_uuid(), id, 'PENDING', '[]', '[]', null,
                                           now() - interval '1 day', null, 0, 'n' || number, '{}', 'oneDNN'
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
    void aWorkerThatIsGoneIsNotProfiled() {
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
    void aPointThatWasNotAskedForIsRefused() {
        TestingAgent agent = lab.agents(1).getFirst();
        request(agent);
        Assignment work = agent.profiling();

        agent.report(work, point(STEP, 9)).problem(400, "invalid-request");
        agent.report(work, point(new Kernel.TrainingStep("another"), 8))
                .problem(400, "invalid-request");
        agent.tell(work, point(STEP, 8));
    }

    @Test
    void eventsOfARunDoNotBelongToAProfile() {
        TestingAgent agent = lab.agents(1).getFirst();
        request(agent);

        agent.report(agent.profiling(), new AgentEvent.RoundReached(0, 1, 1))
                .problem(400, "invalid-request");
    }

    @Test
    void onlyKnownNetworksAreMeasured() {
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
