package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.WorkerId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests the current service on a database of the first release: schema version 4, the first that
 * could place, report and store a run. The clock of the service stands still unless the test moves
 * it.
 */
@RunningService
class FirstReleaseIT {

    private static final String DATABASE = "first_release";
    private static final String FIRST = "4";

    private static final String RUN = "00000000-0000-0000-0000-0000000000d";
    private static final String EXPERIMENT = "00000000-0000-0000-0000-00000000000c";
    private static final WorkerId NORTH =
            WorkerId.of(UUID.fromString("00000000-0000-0000-0000-0000000000b1"));

    @TempDir private Path folder;

    private final JdbcConnectionDetails server;
    private final JdbcClient outside;
    private @Nullable TestingInstance started;

    FirstReleaseIT(@Autowired JdbcConnectionDetails server, @Autowired JdbcClient outside) {
        this.server = server;
        this.outside = outside;
    }

    @BeforeEach
    void start() {
        dropDatabase();
        outside.sql("create database " + DATABASE).update();
        var database =
                new DriverManagerDataSource(
                        TestingInstance.url(server, DATABASE),
                        Objects.requireNonNull(server.getUsername()),
                        Objects.requireNonNull(server.getPassword()));
        Flyway.configure().dataSource(database).target(FIRST).load().migrate();
        new ResourceDatabasePopulator(new ClassPathResource("first-release.sql")).execute(database);
        started =
                TestingInstance.start(
                        server,
                        DATABASE,
                        folder.resolve("administrator"),
                        Map.of(
                                "equipoise.checkpoint.folder",
                                folder.resolve("checkpoints"),
                                "equipoise.schedule.period",
                                "50ms",
                                "logging.level.dev.equipoise",
                                "error"),
                        TestingLab.Configuration.class);
    }

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
        dropDatabase();
    }

    /** Drops the database, including one that a killed test left. */
    private void dropDatabase() {
        outside.sql("drop database if exists %s with (force)".formatted(DATABASE)).update();
    }

    private TestingInstance instance() {
        return Objects.requireNonNull(started);
    }

    private TestingClient member() {
        return instance().client("eqp_member");
    }

    private JsonNode get(String path) {
        return member().get(path).expect(200);
    }

    private JsonNode run(int number) {
        return get("/runs/" + RUN + number);
    }

    private String state(int number) {
        return run(number).path("state").stringValue();
    }

    /** Returns an agent that the service knows by a credential of the first release. */
    private TestingAgent agent(WorkerId id, String name, String credential) {
        return new TestingAgent(
                id,
                name + ":5701",
                instance().client(credential),
                instance().bean(JsonMapper.class));
    }

    private TestingAgent newcomer() {
        var registration = TestingLab.registration("newcomer");
        JsonNode admission =
                instance().client("eqj_join").post("/agents", registration).expect(201);
        assertThat(admission.path("clusterName").stringValue())
                .as("name of the cluster in which the agents of the first release are")
                .isEqualTo("equipoise");
        return agent(
                WorkerId.of(UUID.fromString(admission.path("worker").stringValue())),
                "newcomer",
                registration.credential().text());
    }

    private static void train(List<TestingAgent> agents) {
        List<Assignment.Training> parts = agents.stream().map(TestingAgent::training).toList();
        for (int epoch = 0; epoch <= 3; epoch++) {
            TestingLab.beat(agents);
            AgentEvent event =
                    switch (epoch) {
                        case 0 -> new RunReport.ReplicaReady(0, 0.01, "start");
                        case 3 -> new Outcome.Finished();
                        default ->
                                TestingEpochs.epoch(
                                        epoch,
                                        640,
                                        1,
                                        0.25,
                                        0.25,
                                        1.5,
                                        1000,
                                        0.5,
                                        new EpochFinished.TestScore(0.9, 0.4),
                                        "again-" + epoch);
                    };
            for (int rank = 0; rank < agents.size(); rank++) {
                agents.get(rank).tell(parts.get(rank), event);
            }
        }
    }

    @Test
    void dataOfTheFirstReleaseIsKeptAndItsActiveRunsEnd() {
        assertThat(get("/me").path("projects")).hasSize(1);
        assertThat(
                        instance()
                                .client("eqp_administrator")
                                .get("/me")
                                .expect(200)
                                .path("administrator")
                                .booleanValue())
                .isTrue();
        assertRunsAreRight();
        assertComparisonIsRight();
        assertExperimentIsRight();
        assertWorkersAreRight();

        assertActiveRunsEnd();
    }

    private void assertRunsAreRight() {
        assertThat(get("/runs?sort=queuedAt").path("items"))
                .extracting(it -> it.path("id").stringValue())
                .containsExactly(RUN + 1, RUN + 2, RUN + 3, RUN + 4, RUN + 5, RUN + 6);
        JsonNode completed = run(1);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("testAccuracy").doubleValue()).isEqualTo(0.82);
        assertThat(completed.path("epochSeconds").doubleValue()).isEqualTo(1.5);
        assertThat(completed.at("/prediction/epochSeconds").doubleValue()).isEqualTo(0.4);
        assertThat(completed.at("/configuration/synchronization/kind").stringValue())
                .isEqualTo("bsp");
        assertThat(completed.path("epochs")).hasSize(2);
        assertThat(state(2)).isEqualTo("COMPLETED");
        assertThat(run(3).at("/failure/code").stringValue()).isEqualTo("worker-lost");
        assertThat(state(4)).isEqualTo("CANCELLED");
        assertThat(get("/runs/%s1/curves?name=epoch/loss".formatted(RUN)).path("items")).hasSize(2);
        assertThat(member().text("/runs/%s1/log".formatted(RUN)).body()).contains("COMPLETED");
        assertThat(get("/runs/%s1/events".formatted(RUN)).path("over").booleanValue()).isTrue();
    }

    private void assertComparisonIsRight() {
        JsonNode comparison = get("/comparisons?runs=%1$s1,%1$s2".formatted(RUN));
        assertThat(comparison.path("runs"))
                .extracting(it -> it.path("epochSeconds").doubleValue())
                .containsExactly(1.5, 3.0);
        assertThat(comparison.at("/runs/1/speedup").doubleValue()).isEqualTo(0.5);
        assertThat(comparison.at("/runs/0/ranks/1/worker").stringValue()).isEqualTo("south");
    }

    private void assertExperimentIsRight() {
        JsonNode experiment = get("/experiments/" + EXPERIMENT);
        assertThat(experiment.path("version").intValue()).isEqualTo(1);
        assertThat(experiment.at("/definition/seeds")).hasSize(2);
    }

    private void assertWorkersAreRight() {
        assertThat(get("/workers").path("items"))
                .extracting(it -> it.path("name").stringValue())
                .containsExactlyInAnyOrder("north", "south", "west");
        JsonNode profile = get("/workers/%s/profiles".formatted(NORTH)).at("/items/0");
        assertThat(profile.path("state").stringValue()).isEqualTo("COMPLETE");
    }

    /**
     * One agent of the first release comes back, the other stays silent. Runs of the first release
     * have no restarts, so that this run fails; the next run continues with a new worker in place
     * of the lost one.
     */
    private void assertActiveRunsEnd() {
        TestingAgent north = agent(NORTH, "north", "eqw_north");
        instance().bean(TestingLab.class).advance(Duration.ofSeconds(21), List.of(north));
        await().untilAsserted(() -> {
            JsonNode run = run(5);
            assertThat(run.path("state").stringValue()).as("%s", run).isEqualTo("FAILED");
        });
        assertThat(run(5).at("/failure/message").stringValue())
                .startsWith("rank 1 on south was silent for 10 s");
        assertThat(run(5).path("epochs")).as("epochs before the failure").hasSize(1);
        north.lease(0).expect(204);
        List<TestingAgent> two = List.of(north, newcomer());
        TestingLab.beat(two);

        train(two);

        await().until(() -> state(6).equals("COMPLETED"));
        assertThat(run(6).path("epochs")).hasSize(2);
        assertThat(member().bytes("/experiments/%s/bundle".formatted(EXPERIMENT))).isNotEmpty();
    }
}
