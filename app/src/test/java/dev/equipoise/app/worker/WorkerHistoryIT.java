package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.WorkerId;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Tests the history of load, memory and states of workers. */
@RunningService
class WorkerHistoryIT {

    private static final long GIB = 1L << 30;

    private final TestingLab lab;
    private final WorkerSamples samples;
    private final JdbcClient database;

    WorkerHistoryIT(
            @Autowired TestingLab lab,
            @Autowired WorkerSamples samples,
            @Autowired JdbcClient database) {
        this.lab = lab;
        this.samples = samples;
        this.database = database;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private JsonNode history(WorkerId worker, String query) {
        return lab.administrator().get("/workers/" + worker + "/history" + query).expect(200);
    }

    private void nextMinute(TestingAgent agent, double load, long memory) {
        Instant now = lab.clock().instant();
        Instant next = now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
        lab.clock().advance(Duration.between(now, next));
        agent.beat(load, memory).expect(200);
    }

    @Test
    void firstHeartbeatOfEachMinuteIsASample() {
        TestingAgent agent = lab.agents(1).getFirst();
        nextMinute(agent, 1, GIB);
        agent.beat(50.0, 50 * GIB).expect(200);
        nextMinute(agent, 3, 3 * GIB);
        lab.clock().advance(Duration.ofSeconds(1));

        JsonNode history = history(agent.id(), "?buckets=1");

        assertThat(history.path("load")).hasSize(1);
        assertThat(history.at("/load/0/mean").doubleValue()).isEqualTo(2);
        assertThat(history.at("/load/0/least").doubleValue()).isEqualTo(1);
        assertThat(history.at("/load/0/greatest").doubleValue()).isEqualTo(3);
        assertThat(history.at("/memory/0/mean").doubleValue()).isEqualTo(2.0 * GIB);
        assertThat(history.at("/memory/0/at").stringValue())
                .isEqualTo(history.path("from").stringValue());
    }

    /** Agents before this version report the load alone. */
    @Test
    void olderAgentHasNoHistoryOfMemory() {
        TestingAgent agent = lab.agents(1).getFirst();
        lab.clock().advance(Duration.ofMinutes(1));
        agent.beat(1.5, null).expect(200);

        JsonNode history = history(agent.id(), "");

        assertThat(history.path("memory")).isEmpty();
        assertThat(history.at("/load/0/mean").doubleValue()).isEqualTo(1.5);
    }

    @Test
    void heartbeatWithoutFiguresIsNoSample() {
        TestingAgent agent = lab.agents(1).getFirst();
        lab.clock().advance(Duration.ofMinutes(1));
        agent.beat(List.of(agent)).expect(200);

        JsonNode history = history(agent.id(), "");

        assertThat(history.path("memory")).isEmpty();
        assertThat(history.path("load")).isEmpty();
    }

    @Test
    void changesOfStateAndCordonAreKept() {
        TestingAgent agent = lab.join("changing");
        lab.clock().advance(Duration.ofSeconds(1));
        agent.beat(List.of(agent)).expect(200);
        lab.clock().advance(Duration.ofSeconds(1));
        lab.administrator().post("/workers/" + agent.id() + "/cordon").expect(200);
        lab.clock().advance(Duration.ofSeconds(1));
        agent.leave();
        lab.clock().advance(Duration.ofSeconds(1));

        JsonNode states = history(agent.id(), "").path("states");

        assertThat(
                        states.valueStream()
                                .map(it ->
                                        it.path("state").stringValue()
                                                + " "
                                                + it.path("cordon").stringValue()))
                .containsExactly("JOINING OPEN", "IDLE OPEN", "IDLE CORDONED", "LEFT CORDONED");
        assertThat(states.get(1).path("from")).isEqualTo(states.get(0).path("to"));
    }

    @Test
    void oldSamplesAreThinnedAndDeleted() {
        WorkerId worker = lab.agents(1).getFirst().id();
        Instant now = lab.clock().instant();
        store(worker, now.minus(Duration.ofHours(20)).truncatedTo(ChronoUnit.HOURS), 60);
        store(worker, now.minus(Duration.ofDays(3)).truncatedTo(ChronoUnit.HOURS), 60);
        store(worker, now.minus(Duration.ofDays(20)).truncatedTo(ChronoUnit.HOURS), 60);
        store(worker, now.minus(Duration.ofDays(40)).truncatedTo(ChronoUnit.HOURS), 60);

        samples.thin();

        assertThat(count(worker, now, 1)).as("after a day").isEqualTo(60);
        assertThat(count(worker, now, 7)).as("after three days").isEqualTo(60 + 6);
        assertThat(count(worker, now, 60)).as("after twenty days").isEqualTo(60 + 6 + 1);
    }

    private void store(WorkerId worker, Instant from, int minutes) {
        database.sql(
                        """
                        insert into worker_sample (worker_id, at, load)
                        select :worker, cast(:from as timestamptz) + make_interval(mins => minute), minute
                        from generate_series(0, :last) as minute
                        """)
                .param("worker", worker.value())
                .param("from", Timestamp.from(from))
                .param("last", minutes - 1)
                .update();
    }

    private int count(WorkerId worker, Instant now, int days) {
        return samples.between(worker, now.minus(Duration.ofDays(days)), now).size();
    }

    @Test
    void lastChangeBeforeTheHistoryStays() {
        WorkerId worker = lab.agents(1).getFirst().id();
        Instant now = lab.clock().instant();
        database.sql(
                        "update worker_state_change set at = at - interval '200 d' where worker_id = ?")
                .param(worker.value())
                .update();
        int before = samples.changes(worker, now, 10).size();

        samples.thin();

        assertThat(before).isGreaterThan(1);
        assertThat(samples.changes(worker, now, 10))
                .singleElement()
                .extracting(StateChange::state)
                .isEqualTo(WorkerState.IDLE);
        assertThat(history(worker, "").path("states")).hasSize(1);
    }

    @Test
    void historyOfAnUnknownWorkerIsNotFound() {
        lab.administrator()
                .get("/workers/" + UUID.randomUUID() + "/history")
                .problem(404, "not-found");
    }

    @Test
    void windowMustNotBeEmpty() {
        WorkerId worker = lab.agents(1).getFirst().id();
        String path = "/workers/" + worker + "/history?";

        lab.administrator()
                .get(path + "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")
                .problem(400, "invalid-request");
        lab.administrator().get(path + "buckets=1001").problem(400, "invalid-request");
    }
}
