package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the migrations that convert stored data, in a schema of their own. */
@RunningService
class MigrationIT {

    private static final String SCHEMA = "carried_over";

    /** A run as schema versions 5 to 18 store it. */
    private static final String A_RUN =
            """
            insert into project values (gen_random_uuid(), 'p', now());
            insert into experiment
            select gen_random_uuid(), id, 'e', 1, '{}', '[]', now(), 0 from project;
            insert into run
            select gen_random_uuid(), project_id, id, 'e', 0, 'COMPLETED', '{}', 1, 10, null,
                   null, null, now(), now(), null, 0
            from experiment\
            """;

    private final DataSource database;

    MigrationIT(@Autowired DataSource database) {
        this.database = database;
    }

    @AfterEach
    void clear() throws SQLException {
        execute("drop schema %s cascade".formatted(SCHEMA));
    }

    private void migrateTo(String version) {
        Flyway.configure().dataSource(database).schemas(SCHEMA).target(version).load().migrate();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "set search_path to %s; %s; reset search_path".formatted(SCHEMA, sql));
        }
    }

    private String single(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void version5ComputesTheFiguresOfRuns() throws SQLException {
        migrateTo("4");
        execute(
                """
                insert into project values (gen_random_uuid(), 'p', now());
                insert into experiment
                select gen_random_uuid(), id, 'e', 1, '{}', '[]', now(), 0 from project;
                insert into run
                select gen_random_uuid(), project_id, id, state, 0, state,
                       '{"workers": {"replicas": 2}}', 1, 10, null, null, null, now(), now(),
                       null, 0
                from experiment, (values ('RUNNING'), ('QUEUED')) as given (state);
                insert into epoch_result
                select id, rank, epoch, 10, 1, 1, 1, rank + epoch, 100, 0.5, epoch * 0.25,
                       case when epoch = 2 then rank::text else 'same' end
                from run, generate_series(0, 1) as rank, generate_series(1, 3) as epoch
                where state = 'RUNNING' and not (rank = 1 and epoch = 3)\
                """);

        migrateTo("5");

        JsonNode measured =
                JsonMapper.shared()
                        .readTree(
                                single(
                                        "select measured from %s.run where state = 'RUNNING'"
                                                .formatted(SCHEMA)));
        assertThat(measured.path("epochSeconds").doubleValue()).isEqualTo(2.5);
        assertThat(measured.path("testAccuracy").doubleValue()).isEqualTo(0.5);
        assertThat(measured.path("replicasIdentical").booleanValue()).isFalse();
        assertThat(
                        single(
                                "select measured is null from %s.run where state = 'QUEUED'"
                                        .formatted(SCHEMA)))
                .isEqualTo("t");
    }

    /** Bytes of earlier epochs count as gradients; new figures are zero. */
    @Test
    void version11KeepsTheFiguresOfEpochs() throws SQLException {
        migrateTo("10");
        execute(A_RUN);
        execute(
                """
                insert into run_links select id, '[]' from run;
                insert into epoch_result
                select id, 0, 1, 10, 1.5, 0.5, 0.25, 2.25, 700, 0.5, 0.9, 'p' from run\
                """);

        migrateTo("11");

        assertThat(
                        single(
                                """
                                select concat_ws(' ', gradient_bytes, weight_bytes, control_bytes,
                                       encode_seconds, apply_seconds, hidden_seconds,
                                       updates ->> 'steps', own_accuracy is null)
                                from %s.epoch_result\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("700 0 0 0 0 0 0 t");
        assertThat(single("select speeds from %s.run_measurements".formatted(SCHEMA)))
                .isEqualTo("[]");
    }

    @Test
    void version7StoresTheNetworkOfProfiles() throws SQLException {
        migrateTo("6");
        execute(
                """
                insert into worker
                values (gen_random_uuid(), 'w', 'IDLE', '{}', '{}', 'a:1', '[]', now(), now(), 0);
                insert into profile
                select gen_random_uuid(), id, 'COMPLETE',
                       '[{"kernel": {"kind": "training-step", "network": "mnist-cnn"}}]', '[]',
                       null, now(), now(), 0
                from worker\
                """);

        migrateTo("7");

        assertThat(single("select network from %s.profile".formatted(SCHEMA)))
                .isEqualTo("mnist-cnn");
    }

    /** The rows are of version 8, which had one network, one data set and one optimizer. */
    @Test
    void version17WritesOutTheDefaultsOfRunsAndProfiles() throws SQLException {
        migrateTo("8");
        execute(
                """
                insert into project values (gen_random_uuid(), 'p', now());
                insert into experiment
                select gen_random_uuid(), id, 'e', 1, '{}', '[%1$s, %1$s]', now(), 0 from project;
                insert into run
                select gen_random_uuid(), project_id, id, 'e', 0, 'COMPLETED', '%1$s', 1, 10, null,
                       null, null, now(), now(), null, 0
                from experiment;
                insert into worker
                values (gen_random_uuid(), 'w', 'IDLE', '{"name": "h"}', '{}', 'a:1', '[]', now(),
                        now(), 0);
                insert into profile
                select gen_random_uuid(), id, 'COMPLETE', '[]', '[]', null, now(), now(), 0,
                       'mnist-cnn'
                from worker\
                """
                        .formatted(
                                """
                                {"apiVersion": "equipoise/v1", "name": "e",
                                 "dataset": {"name": "mnist", "limit": 1000},
                                 "network": {"preset": "mnist-cnn"},
                                 "training": {
                                     "epochs": 1, "batchSize": 64,
                                     "loss": {"kind": "softmax-cross-entropy", "reduction": "mean"},
                                     "optimizer": {"kind": "sgd", "learningRate": 0.05}},
                                 "workers": {"replicas": 2, "selector": {}},
                                 "partitioning": {"kind": "equal"},
                                 "synchronization": {"kind": "bsp"},
                                 "topology": {"kind": "all-reduce", "algorithm": "ring"},
                                 "compression": {"kind": "none"}, "channel": "direct", "seed": 1}
                                """));

        migrateTo("17");

        RunConfiguration run =
                JsonMapper.shared()
                        .readValue(
                                single("select configuration from %s.run".formatted(SCHEMA)),
                                RunConfiguration.class);
        assertThat(run.architecture()).isEqualTo(Preset.MNIST_CNN.architecture());
        assertThat(run.dataset())
                .isEqualTo(new PublishedSpec.Mnist(new Normalization.Unit(), 1000));
        assertThat(run.training().optimizer()).isEqualTo(new OptimizerSpec.Sgd(0.05));
        assertThat(run.instrumentation().evaluation().every()).isEqualTo(1);
        assertThat(run.topology()).isEqualTo(Topology.AllReduce.by(Topology.Algorithm.RING));
        assertThat(run.heterogeneity().links()).isEmpty();
        assertThat(run.heterogeneity().slowDown()).isEmpty();
        assertThat(run.heterogeneity().slowDownFrom()).isEqualTo(1);
        assertThat(run.execution()).isEqualTo(new Execution.Real());
        assertThat(run.instrumentation().evaluation().replicas())
                .isEqualTo(Observation.Replicas.LAST);
        assertThat(run.instrumentation().trace()).isFalse();
        assertThat(run.instrumentation().record()).isFalse();
        assertThat(single("select count(*) from %s.run_measurements".formatted(SCHEMA)))
                .isEqualTo("0");
        assertThat(
                        JsonMapper.shared()
                                .readValue(
                                        single(
                                                "select configurations from %s.experiment"
                                                        .formatted(SCHEMA)),
                                        RunConfiguration[].class))
                .containsExactly(run, run);
        assertThat(
                        JsonMapper.shared()
                                .readValue(
                                        single(
                                                "select architecture from %s.profile"
                                                        .formatted(SCHEMA)),
                                        Architecture.class))
                .isEqualTo(Preset.MNIST_CNN.architecture());
        assertThat(single("select host ->> 'backend' from %s.worker".formatted(SCHEMA)))
                .isEqualTo("unknown");
    }

    @Test
    void version12DeletesTracesWithTheirRuns() throws SQLException {
        migrateTo("11");
        execute(A_RUN);

        migrateTo("12");

        assertThat(single("select count(*) from %s.trace_part".formatted(SCHEMA))).isEqualTo("0");
        execute(
                """
                insert into trace_part (run_id, rank, strand, epoch, begun, slices, dropped)
                select id, 0, 'MAIN', 1, 0, '{}', 0 from run;
                delete from run\
                """);
        assertThat(single("select count(*) from %s.trace_part".formatted(SCHEMA))).isEqualTo("0");
    }

    @Test
    void version17RoundsFunctionalSharesByLargestRemainder() throws SQLException {
        migrateTo("12");
        execute(
                """
                insert into project values (gen_random_uuid(), 'p', now());
                insert into experiment
                select gen_random_uuid(), id, 'e', 1, '{}', '[%1$s, %2$s]', now(), 0 from project;
                insert into run
                select gen_random_uuid(), project_id, id, 'e', 0, 'COMPLETED', '%1$s', 1, 10, null,
                       null, null, now(), now(), null, 0
                from experiment\
                """
                        .formatted(
                                """
                                {"partitioning": {"kind": "functional", "model": "piecewise",
                                                  "solver": "geometric"}}
                                """,
                                "{\"partitioning\": {\"kind\": \"equal\"}}"));

        migrateTo("17");

        var functional =
                new Partitioning.Functional(
                        Partitioning.Model.PIECEWISE,
                        Partitioning.Solver.GEOMETRIC,
                        Partitioning.ShareRounding.LARGEST_REMAINDER,
                        Partitioning.Extent.FULL);
        assertThat(partitioning("select configuration -> 'partitioning' from %s.run"))
                .isEqualTo(functional);
        assertThat(partitioning("select configurations -> 0 -> 'partitioning' from %s.experiment"))
                .isEqualTo(functional);
        assertThat(partitioning("select configurations -> 1 -> 'partitioning' from %s.experiment"))
                .isEqualTo(new Partitioning.Equal());
    }

    @Test
    void version15KeepsUncorrectedPredictions() throws SQLException {
        migrateTo("13");
        execute(
                """
                insert into project values (gen_random_uuid(), 'p', now());
                insert into experiment
                select gen_random_uuid(), id, 'e', 1, '{}', '[]', now(), 0 from project;
                insert into run
                select gen_random_uuid(), project_id, id, 'e', 0, 'COMPLETED', '{}', 1, 10, null,
                       null, '{"computeSeconds": 2, "exchangeSeconds": 1, "epochSeconds": 3}',
                       now(), now(), null, 0
                from experiment\
                """);

        migrateTo("15");

        assertThat(
                        JsonMapper.shared()
                                .readValue(
                                        single("select prediction from %s.run".formatted(SCHEMA)),
                                        Prediction.class))
                .isEqualTo(new Prediction(2, 1, 3, 3, null, null, List.of()));
        assertThat(single("select count(*) from %s.prediction_error".formatted(SCHEMA)))
                .isEqualTo("0");
    }

    @Test
    void version14ReadsProfilesAsMeasuredAloneAtFixedSizes() throws SQLException {
        migrateTo("13");
        execute(
                """
                insert into worker
                values (gen_random_uuid(), 'w', 'IDLE', '{"name": "h", "threads": 3}', '{}', 'a:1',
                        '[]', now(), now(), 0);
                insert into profile
                    (id, worker_id, state, measurements, points, requested_at, version, network,
                     architecture, backend)
                select gen_random_uuid(), id, 'COMPLETE',
                       '[{"kernel": {"kind": "gemm"}, "sizes": [8, 16]}]',
                       '[{"kernel": {"kind": "gemm"},
                          "point": {"size": 8, "meanSeconds": 1, "repetitions": 5,
                                    "confidenceSeconds": 0, "deviationSeconds": 0}}]',
                       now() + day * interval '1 day', 0, 'n', '{}', 'oneDNN'
                from worker, generate_series(1, 2) as day\
                """);

        migrateTo("14");

        assertThat(
                        single(
                                """
                                select string_agg(concat_ws(' ', number, rank, company, load, session = id,
                                       origin, host ->> 'threads'), ', ' order by number)
                                from %s.profile\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("1 0 1 100 t MEASURED 3, 2 0 1 100 t MEASURED 3");
        assertThat(
                        JsonMapper.shared()
                                .readValue(
                                        single(
                                                "select measurements from %s.profile where number = 1"
                                                        .formatted(SCHEMA)),
                                        Assignment.Measurement[].class))
                .containsExactly(
                        new Assignment.Measurement(
                                new Kernel.Gemm(), new Points.Fixed(List.of(8, 16))));
        assertThat(
                        JsonMapper.shared()
                                .readValue(
                                        single(
                                                "select points #> '{0,point}' from %s.profile where number = 1"
                                                        .formatted(SCHEMA)),
                                        MeasuredPoint.class))
                .isEqualTo(new MeasuredPoint(8, 1, 5, 0, 0));
        assertThat(
                        JsonMapper.shared()
                                .readValue(
                                        single(
                                                "select precision from %s.profile where number = 1"
                                                        .formatted(SCHEMA)),
                                        Precision.class))
                .isEqualTo(Precision.DEFAULT);
    }

    @Test
    void version16DeletesAllReducesWithTheirMeasurement() throws SQLException {
        migrateTo("13");
        execute(A_RUN);
        execute(
                """
                insert into link_measurement
                values (gen_random_uuid(), 'a,b', 'COMPLETE', 2, null, now(), now(), 0)\
                """);

        migrateTo("16");

        assertThat(single("select hybrid is null from %s.run".formatted(SCHEMA))).isEqualTo("t");
        assertThat(single("select count(*) from %s.all_reduce".formatted(SCHEMA))).isEqualTo("0");
        execute(
                """
                insert into all_reduce select id, 'RING', 2, 1000, 0.25 from link_measurement;
                delete from link_measurement\
                """);
        assertThat(single("select count(*) from %s.all_reduce".formatted(SCHEMA))).isEqualTo("0");
    }

    @Test
    void version18GivesReplicasNoMemoryLimit() throws SQLException {
        migrateTo("17");
        execute(A_RUN);
        execute(
                """
                update run set hybrid = '{"grouping": {"groups": [[0, 1]], "units": [60, 40]},
                    "samples": [100], "formations": []}';
                set session_replication_role = replica;
                insert into replica (run_id, rank, worker_id, worker_name, share, epoch, round, finished)
                select id, 0, gen_random_uuid(), 'w', 100, 0, 0, false from run;
                set session_replication_role = default\
                """);

        migrateTo("18");

        assertThat(
                        JsonMapper.shared()
                                .readValue(
                                        single("select hybrid from %s.run".formatted(SCHEMA)),
                                        HybridAllocationView.class))
                .isEqualTo(
                        new HybridAllocationView(
                                new Grouping(List.of(List.of(0, 1)), List.of(60, 40)),
                                List.of(100),
                                List.of(),
                                List.of(),
                                0));
        assertThat(single("select room from %s.replica".formatted(SCHEMA)))
                .isEqualTo(String.valueOf(Integer.MAX_VALUE));
    }

    /** Tokens of the lab had all rights, and tokens of a project those of an editor. */
    @Test
    void version20KeepsTheRightsOfTokens() throws SQLException {
        migrateTo("19");
        execute(
                """
                insert into project values (gen_random_uuid(), 'p', now());
                insert into worker
                values (gen_random_uuid(), 'w', 'IDLE', '{}', '{}', 'a:1', '[]', now(), now(), 0);
                insert into access_token
                    (id, kind, name, hash, project_id, worker_id, created_at, version)
                select gen_random_uuid(), kind, name, sha256(name::bytea),
                       case when name = 'of p' then (select id from project) end,
                       case when kind = 'WORKER' then (select id from worker) end, now(), 0
                from (values ('USER', 'of the lab'), ('USER', 'of p'), ('JOIN', 'to join'),
                             ('WORKER', 'of w')) as given (kind, name)\
                """);

        migrateTo("20");

        assertThat(
                        single(
                                "select string_agg(concat_ws(' ', name, role), ', ' order by name) from %s.access_token"
                                        .formatted(SCHEMA)))
                .isEqualTo("of p EDITOR, of the lab ADMINISTRATOR, of w, to join");
        assertThat(
                        single(
                                "select concat_ws(' ', quota, version) from %s.project"
                                        .formatted(SCHEMA)))
                .isEqualTo("{} 0");
    }

    @Test
    void version21HasNoPriorityAndNoCordon() throws SQLException {
        migrateTo("20");
        execute(
                """
                insert into project (id, name, created_at, quota, version)
                values (gen_random_uuid(), 'p', now(), '{}', 0);
                insert into worker
                values (gen_random_uuid(), 'w', 'IDLE', '{}', '{}', 'a:1', '[]', now(), now(), 0);
                insert into experiment
                    (id, project_id, name, revision, definition, configurations, created_at, version)
                select gen_random_uuid(), id, 'e', 1, '{}', '[]', now(), 0 from project;
                insert into run
                    (id, project_id, experiment_id, experiment_name, position, state,
                     configuration, generation, rounds, queued_at, version)
                select gen_random_uuid(), project_id, id, 'e', 0, 'QUEUED', '{}', 0, 10, now(), 0
                from experiment\
                """);

        migrateTo("21");

        assertThat(
                        single(
                                """
                                select concat_ws(' ', cordon, run.priority, experiment.priority,
                                                 placed_at is null, likeness is null)
                                from %1$s.run, %1$s.experiment, %1$s.worker\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("OPEN 0 0 t t");
        assertThat(single("select count(*) from %s.queue_turn".formatted(SCHEMA))).isEqualTo("1");
        assertThat(single("select count(*) from %s.usage_charge".formatted(SCHEMA))).isEqualTo("0");
    }

    @Test
    void version22WritesStateEventsOfRuns() throws SQLException {
        migrateTo("19");
        execute(
                """
                insert into project values (gen_random_uuid(), 'p', now());
                insert into experiment
                    (id, project_id, name, revision, definition, configurations, created_at, version)
                select gen_random_uuid(), id, 'e', 1, '{}', '[]', now(), 0 from project;
                insert into run
                    (id, project_id, experiment_id, experiment_name, position, state,
                     configuration, generation, rounds, queued_at, ended_at, version)
                select gen_random_uuid(), project_id, id, 'e', 0, 'COMPLETED', '{}', 1, 10,
                       '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 0
                from experiment\
                """);

        migrateTo("22");

        RunEvent event =
                JsonMapper.shared()
                        .readValue(
                                single("select body from %s.run_event".formatted(SCHEMA)),
                                RunEvent.class);
        assertThat(event).isEqualTo(new RunEvent.State(RunState.COMPLETED));
        assertThat(single("select at = '2026-01-02T00:00:00Z' from %s.run_event".formatted(SCHEMA)))
                .isEqualTo("t");
        assertThat(single("select points from %s.run_tally".formatted(SCHEMA))).isEqualTo("0");
    }

    @Test
    void version25KeepsTheClusterViewsOfWorkers() throws SQLException {
        migrateTo("23");
        execute(
                """
                insert into worker
                    (id, name, state, host, labels, cluster_address, sees, joined_at, last_seen_at,
                     version, cordon)
                select gen_random_uuid(), 'w', 'IDLE', '{}', '{}', 'a:1',
                       '["00000000-0000-0000-0000-000000000001"]', now(), now(), 0, 'OPEN'
                from generate_series(1, 2)\
                """);

        migrateTo("25");

        assertThat(single("select count(*) from %s.sight".formatted(SCHEMA))).isEqualTo("1");
        assertThat(
                        single(
                                "select count(*) from %1$s.worker join %1$s.sight on digest = sight_digest where workers ->> 0 like '%%1'"
                                        .formatted(SCHEMA)))
                .isEqualTo("2");
    }

    @Test
    void version27LetsNoEarlierRunBePreempted() throws SQLException {
        migrateTo("26");
        execute(
                """
                insert into project (id, name, created_at, quota, version)
                values (gen_random_uuid(), 'p', now(), '{}', 0);
                insert into experiment
                    (id, project_id, name, revision, priority, definition, configurations,
                     created_at, version)
                select gen_random_uuid(), id, 'e', 1, 0, '{}', '[{}, {}]', now(), 0 from project;
                insert into run
                    (id, project_id, experiment_id, experiment_name, position, priority, state,
                     configuration, generation, rounds, queued_at, started_at, version)
                select gen_random_uuid(), project_id, id, 'e', 0, 0, 'RUNNING', '{}', 1, 10,
                       '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 0
                from experiment\
                """);

        migrateTo("27");

        assertThat(single("select configuration from %s.run".formatted(SCHEMA)))
                .isEqualTo("{\"preemption\": \"never\"}");
        assertThat(single("select configurations from %s.experiment".formatted(SCHEMA)))
                .isEqualTo("[{\"preemption\": \"never\"}, {\"preemption\": \"never\"}]");
        assertThat(
                        single(
                                "select training_since = started_at and preemptions = 0 from %s.run"
                                        .formatted(SCHEMA)))
                .isEqualTo("t");
    }

    @Test
    void version30StoresImportedRunsSeparately() throws SQLException {
        migrateTo("27");
        execute(
                """
                insert into project (id, name, created_at, quota, version)
                values (gen_random_uuid(), 'p', now(), '{}', 0);
                insert into experiment
                    (id, project_id, name, revision, definition, configurations, created_at, version,
                     priority)
                select gen_random_uuid(), id, 'e', 1, '{}', '[]', now(), 0, 0 from project;
                insert into imported_study
                select id, project_id, repeat('a', 64),
                       '{"product": "1", "runs": [{"seed": 1}, {"seed": 2}], "workers": []}', now()
                from experiment\
                """);

        migrateTo("30");

        assertThat(
                        single(
                                "select string_agg(run ->> 'seed', ' ' order by number) from %s.imported_run"
                                        .formatted(SCHEMA)))
                .isEqualTo("1 2");
        assertThat(single("select study -> 'runs' from %s.imported_study".formatted(SCHEMA)))
                .isEqualTo("[]");
    }

    @Test
    void version28GivesRunsTheVersionOfTheirExperiment() throws SQLException {
        migrateTo("27");
        execute(
                """
                insert into project (id, name, created_at, quota, version)
                values (gen_random_uuid(), 'p', now(), '{}', 0);
                insert into experiment
                    (id, project_id, name, revision, priority, definition, configurations,
                     created_at, version)
                select gen_random_uuid(), id, 'e', 3, 0, '{}', '[]', now(), 0 from project;
                insert into run
                    (id, project_id, experiment_id, experiment_name, position, priority, state,
                     configuration, generation, rounds, queued_at, preemptions, version)
                select gen_random_uuid(), project_id, id, 'e', 0, 0, 'QUEUED', '{}', 0, 10, now(),
                       0, 0
                from experiment;
                insert into imported_study (experiment_id, project_id, checksum, study, imported_at)
                select id, project_id, repeat('0', 64), '{}', now() from experiment\
                """);

        migrateTo("28");

        assertThat(single("select experiment_version from %s.run".formatted(SCHEMA)))
                .isEqualTo("3");
        assertThat(single("select version from %s.imported_study".formatted(SCHEMA)))
                .isEqualTo("3");
        assertThat(single("select defined_at = created_at from %s.experiment".formatted(SCHEMA)))
                .isEqualTo("t");
    }

    /** No agent reads the format of earlier checkpoint files. */
    @Test
    void version37DropsCheckpointsOfQueuedRuns() throws SQLException {
        migrateTo("36");
        execute(
                """
                insert into project (id, name, created_at, quota, version)
                values (gen_random_uuid(), 'p', now(), '{}', 0);
                insert into experiment
                    (id, project_id, name, revision, definition, configurations, created_at, version,
                     priority, defined_at)
                select gen_random_uuid(), id, 'e', 1, '{}', '[]', now(), 0, 0, now() from project;
                insert into run
                    (id, project_id, experiment_id, experiment_name, experiment_version, position,
                     priority, state, configuration, generation, rounds, queued_at, preemptions,
                     version, tags, checkpoint_epoch, measured)
                select gen_random_uuid(), project_id, id, 'e', 1, 0, 0, state, '{}', 1, 10, now(),
                       1, 0, '{}', 2, '{}'
                from experiment, (values ('QUEUED'), ('RUNNING')) as given (state);
                insert into checkpoint
                select id, 2, 1, 1000, now() from run;
                insert into run_tally
                    (run_id, points, dropped, fleeting_events, forgotten_to, notes)
                select id, 5, 0, 0, 0, 0 from run;
                insert into metric_part
                    (run_id, metric, rank, generation, points, every, first_step, last_step,
                     last_micros, least, greatest, packed)
                select id, 'm', 0, 1, 5, 1, 1, 5, 1, 0, 1, '' from run\
                """);

        migrateTo("37");

        assertThat(single("select count(*) from %s.checkpoint".formatted(SCHEMA))).isEqualTo("0");
        assertThat(
                        single(
                                """
                                select string_agg(
                                    concat_ws(' ', state, coalesce(checkpoint_epoch, 0),
                                              measured is null, points,
                                              (select count(*) from %1$s.metric_part
                                               where run_id = run.id)),
                                    ', ' order by state)
                                from %1$s.run join %1$s.run_tally on run_id = run.id\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("QUEUED 0 t 0 0, RUNNING 2 f 5 1");
    }

    @Test
    void version41NamesTheClusterOfNewLabsAtRandom() throws SQLException {
        migrateTo("40");
        execute(worker("LEFT"));

        migrateTo("41");

        assertThat(single("select name from %s.agent_cluster".formatted(SCHEMA)))
                .matches("[0-9a-f-]{36}");
    }

    /** Agents keep the name of their admission. */
    @Test
    void version41KeepsTheNameOfTheClusterWithWorkers() throws SQLException {
        migrateTo("40");
        execute(worker("LEFT") + ";" + worker("LOST"));

        migrateTo("41");

        assertThat(single("select name from %s.agent_cluster".formatted(SCHEMA)))
                .isEqualTo("equipoise");
    }

    @Test
    void version46GivesWorkersNoProbes() throws SQLException {
        migrateTo("40");
        execute(worker("IDLE"));

        migrateTo("46");

        assertThat(
                        single(
                                "select probes::text || coalesce(forming_until::text, ' none') from %s.worker"
                                        .formatted(SCHEMA)))
                .isEqualTo("{\"peers\": []} none");
    }

    /** Each token of an earlier version admits one worker. */
    @Test
    void version42CountsTheUsesOfJoinTokens() throws SQLException {
        migrateTo("41");
        execute(
                """
                insert into access_token (id, kind, name, hash, created_at, used_at, version)
                values (gen_random_uuid(), 'JOIN', 'unused', sha256('a'::bytea), now(), null, 0),
                       (gen_random_uuid(), 'JOIN', 'used', sha256('b'::bytea), now(), now(), 0)\
                """);

        migrateTo("42");

        assertThat(
                        single(
                                """
                                select string_agg(admitted || ' of ' || uses, ', ' order by name)
                                from %s.access_token\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("0 of 1, 1 of 1");
    }

    /** Existing runs get their rows, and triggers keep them. */
    @Test
    void version53ListsWhatRunsAreFilteredBy() throws SQLException {
        migrateTo("52");
        execute(
                """
                insert into project (id, name, created_at, quota, version)
                values (gen_random_uuid(), 'p', now(), '{}', 0);
                insert into experiment
                    (id, project_id, name, revision, definition, configurations, created_at, version,
                     priority, defined_at)
                select gen_random_uuid(), id, 'e', 1, '{}', '[]', now(), 0, 0, now() from project;
                insert into run
                    (id, project_id, experiment_id, experiment_name, position, state, configuration,
                     generation, rounds, queued_at, started_at, ended_at, version, priority, tags,
                     preemptions, experiment_version, measured, failure)
                select gen_random_uuid(), project_id, id, 'e', 0, 'FAILED',
                       '{"training": {"batchSize": 32, "optimizer": {"kind": "sgd"}}, "seed": 7,
                         "workers": {"replicas": 2, "selector": {"room": "a"}},
                         "heterogeneity": {"links": [], "slowDown": {"0": 2.5}}}',
                       1, 10, now(), now(), now() + interval '90 s', 0, 0, '{a,b}', 0, 1,
                       '{"epochSeconds": 1.5, "testAccuracy": 0.25, "testLoss": null}',
                       '{"cause": "worker", "code": "peer-lost", "message": "m"}'
                from experiment;
                insert into epoch_result
                    (run_id, rank, epoch, samples, compute_seconds, encode_seconds,
                     transfer_seconds, wait_seconds, apply_seconds, hidden_seconds, wall_seconds,
                     gradient_bytes, weight_bytes, control_bytes, frames, updates, mean_loss,
                     test_accuracy, parameters, generation, ranks)
                select id, rank, epoch, 10, 1, 0, 1, 1, 0, 0, rank + epoch, 100, 10, 1, 1, '{}',
                       1.0 / epoch, 0.5 / epoch, 'p', 1, 2
                from run, generate_series(0, 1) as rank, generate_series(1, 2) as epoch\
                """);

        migrateTo("53");

        assertThat(
                        single(
                                """
                                select concat_ws(' ', "training.batchSize", "training.optimizer.kind",
                                    seed, "workers.minimum", "workers.selector" ->> 'room', "keepModel",
                                    duration, failure, array_to_string(tag, '+'), "testAccuracy",
                                    "bestAccuracy", "trainingLoss", "trainingSeconds", "bytesSent",
                                    "epochsTrained")
                                from %s.run_search\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("32 sgd 7 2 a last 90 peer-lost a+b 0.25 0.5 0.5 5 444 2");
        execute(
                """
                update run set configuration = configuration
                    || '{"dataset": {"name": "csv"}, "partitioning": {"kind": "functional"}}';
                update epoch_result set own_accuracy = epoch + rank, absolute_distance = 3 - epoch\
                """);

        migrateTo("54");

        assertThat(
                        single(
                                """
                                select concat_ws(' ', "dataset.header", "partitioning.kernel",
                                    coalesce("dataset.augment.flip", '-'), "replicaAccuracy",
                                    coalesce("replicaLoss", 7), "consensusDistance")
                                from %s.run_search\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("auto training-step - 2.5 7 1");
        execute(
                "update run set configuration = configuration || '{\"dataset\": {\"name\": \"mnist\"}}'");
        assertThat(
                        single(
                                """
                                select concat_ws(' ', "dataset.augment.flip",
                                    "dataset.augment.crop.padding")
                                from %s.run_search\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("none 0");
        execute("update run set priority = 3");
        assertThat(single("select priority from %s.run_search".formatted(SCHEMA))).isEqualTo("3");
        execute("delete from run");
        assertThat(single("select count(*) from %s.run_search".formatted(SCHEMA))).isEqualTo("0");
    }

    /** Runs of before have no label until the service starts. */
    @Test
    void version55LeavesRunsOfBeforeWithoutLabel() throws SQLException {
        migrateTo("18");
        execute(A_RUN);

        migrateTo("55");

        assertThat(single("select coalesce(label, '-') from %s.run".formatted(SCHEMA)))
                .isEqualTo("-");
    }

    @Test
    void version57KeepsTheHistoryOfWorkers() throws SQLException {
        migrateTo("54");
        execute(worker("IDLE"));

        migrateTo("57");

        execute("update worker set load = 2");
        execute("update worker set cordon = 'DRAINED', changed_at = changed_at + interval '1 s'");
        execute("update worker set state = 'LEFT', changed_at = changed_at + interval '1 s'");
        assertThat(
                        single(
                                """
                                select string_agg(state || ' ' || cordon, ', ' order by at)
                                from %s.worker_state_change\
                                """
                                        .formatted(SCHEMA)))
                .isEqualTo("IDLE OPEN, IDLE DRAINED, LEFT DRAINED");
        assertThat(single("select join_token_id is null from %s.worker".formatted(SCHEMA)))
                .isEqualTo("t");
        execute("delete from worker");
        assertThat(single("select count(*) from %s.worker_state_change".formatted(SCHEMA)))
                .isEqualTo("0");
    }

    /** A session of a service account token has no user. */
    @Test
    void version56EndsSessionsAndCodesWithTheirToken() throws SQLException {
        migrateTo("54");
        execute(
                """
                insert into access_token (id, kind, name, hash, role, created_at, version)
                values (gen_random_uuid(), 'USER', 'ci', sha256('a'), 'VIEWER', now(), 0)\
                """);

        migrateTo("56");

        execute(
                """
                insert into access_token
                    (id, kind, name, hash, role, created_at, version, parent_id)
                select gen_random_uuid(), 'SESSION', 'ci', sha256('b'), 'VIEWER', now(), 0, id
                from access_token;
                insert into access_token (id, kind, name, hash, created_at, version, parent_id)
                select gen_random_uuid(), 'CODE', 'ci', sha256('c'), now(), 0, id
                from access_token where kind = 'USER'\
                """);
        assertThat(single("select count(*) from %s.access_token".formatted(SCHEMA))).isEqualTo("3");
        execute("delete from access_token where kind = 'USER'");
        assertThat(single("select count(*) from %s.access_token".formatted(SCHEMA))).isEqualTo("0");
    }

    /** A worker as schema version 40 stores it. */
    private static String worker(String state) {
        return """
        insert into sight values ('none', '[]', now()) on conflict do nothing;
        insert into worker
            (id, name, state, host, labels, cluster_address, joined_at, last_seen_at, version,
             cordon, sight_digest)
        values (gen_random_uuid(), 'w', '%s', '{}', '{}', 'a:1', now(), now(), 0, 'OPEN', 'none')\
        """
                .formatted(state);
    }

    private Partitioning partitioning(String sql) throws SQLException {
        return JsonMapper.shared().readValue(single(sql.formatted(SCHEMA)), Partitioning.class);
    }
}
