package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.testing.Night;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.test.util.TestSocketUtils;
import tools.jackson.databind.JsonNode;

/**
 * Runs the backup commands of docs/reliability.md on an external PostgreSQL. A property, which
 * {@code ./equipoise night} sets, names the folder with its programs, all of one version: the
 * embedded PostgreSQL has no pg_dump, and a pg_dump of another version fails.
 */
@EnabledIfSystemProperty(
        named = "equipoise.postgres.bin",
        matches = ".+",
        disabledReason =
                "no folder below /usr/lib/postgresql has initdb and pg_dump: install the package"
                        + " postgresql")
@Night("needs the programs of a PostgreSQL server")
class DumpIT {

    private static final String DATABASE = "equipoise";

    @TempDir private Path folder;

    private final String port = String.valueOf(TestSocketUtils.findAvailableTcpPort());
    private final Server server = new Server(port);

    private record Server(String port) implements JdbcConnectionDetails {

        @Override
        public String getJdbcUrl() {
            return "jdbc:postgresql://127.0.0.1:%s/%s".formatted(port, DATABASE);
        }

        @Override
        public String getUsername() {
            return "postgres";
        }

        @Override
        public String getPassword() {
            return "";
        }
    }

    @BeforeEach
    void start() throws Exception {
        if (isRoot()) {
            run("chown", "postgres", folder.toString());
        }
        postgres("initdb", "-U", "postgres", "-A", "trust", "-D", data());
        postgres(
                "pg_ctl",
                "-w",
                "-D",
                data(),
                "-l",
                data() + "/log",
                "-o",
                "-p %s -c listen_addresses=127.0.0.1 -c unix_socket_directories=".formatted(port),
                "start");
        postgres("createdb", "-h", "127.0.0.1", "-p", port, DATABASE);
        var database =
                new DriverManagerDataSource(
                        server.getJdbcUrl(), server.getUsername(), server.getPassword());
        Flyway.configure().dataSource(database).target("4").load().migrate();
        new ResourceDatabasePopulator(new ClassPathResource("first-release.sql")).execute(database);
    }

    @AfterEach
    void stop() throws Exception {
        postgres("pg_ctl", "-w", "-D", data(), "-m", "fast", "stop");
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    /** Runs a program as the user postgres, since PostgreSQL does not run as root. */
    private static void postgres(String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        String programs = Objects.requireNonNull(System.getProperty("equipoise.postgres.bin"));
        command.add(Path.of(programs, program).toString());
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("said", ".txt");
        int status =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start()
                        .waitFor();
        assertThat(status).as("%s: %s", List.of(command), Files.readString(output)).isZero();
    }

    private TestingInstance service() {
        return TestingInstance.start(
                server,
                DATABASE,
                folder.resolve("token"),
                Map.of(
                        "equipoise.checkpoint.folder",
                        folder.resolve("checkpoints"),
                        "logging.level.dev.equipoise",
                        "error"));
    }

    private static Map<String, JsonNode> all(TestingInstance service) {
        Map<String, JsonNode> all = new LinkedHashMap<>();
        String run = "00000000-0000-0000-0000-0000000000d";
        for (String path :
                List.of(
                        "/runs/" + run + "1",
                        "/runs/" + run + "3",
                        "/runs/" + run + "1/events",
                        "/comparisons?runs=" + run + "1," + run + "2",
                        "/experiments/00000000-0000-0000-0000-00000000000c")) {
            all.put(path, service.client("eqp_member").get(path).expect(200));
        }
        all.put(
                "/projects",
                service.client("eqp_administrator").get("/projects").expect(200).path("items"));
        return all;
    }

    @Test
    void restoredDumpHasAllData() throws Exception {
        String dump = folder.resolve("backup.dump").toString();
        Map<String, JsonNode> before;
        try (var service = service()) {
            before = all(service);
            postgres("pg_dump", "-h", "127.0.0.1", "-p", port, "-Fc", "-f", dump, DATABASE);
            service.client("eqp_administrator")
                    .post("/projects", Map.of("name", "later " + UUID.randomUUID()))
                    .expect(201);
        }

        postgres("pg_restore", "-h", "127.0.0.1", "-p", port, "--clean", "-d", DATABASE, dump);

        try (var service = service()) {
            assertThat(all(service)).isEqualTo(before);
            service.client("eqp_administrator")
                    .post("/projects", Map.of("name", "after"))
                    .expect(201);
            assertThatThrownBy(() ->
                            service.bean(JdbcClient.class).sql("delete from audit_entry").update())
                    .as("triggers are restored too")
                    .hasMessageContaining("the audit is appended to");
        }
    }
}
