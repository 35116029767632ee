package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Fills the disk of the database of a running service. The database is in a tablespace on a disk in
 * memory; the log of PostgreSQL's transactions is elsewhere and keeps its space.
 */
class FullDatabaseDiskIT {

    private static final String DATABASE = "full_disk";
    private static final int DISK_MEBIBYTES = 64;

    /** More projects than the free space in the pages of a new database can hold. */
    private static final int MAX_PROJECTS = 5_000;

    private static final String HEALTH = "/actuator/health";

    @TempDir private Path folder;
    private int created;

    @BeforeEach
    void requireMounts() {
        assumeTrue(
                MemoryDisk.isPossible(),
                "this host lets the test mount no disk, which needs Linux and root");
    }

    @Test
    void changesAreRefusedWhileTheDiskIsFullAndReadsSucceed() throws Exception {
        try (MemoryDisk disk = MemoryDisk.mount(folder.resolve("disk"), DISK_MEBIBYTES);
                EmbeddedDatabase database =
                        EmbeddedDatabase.start(
                                folder.resolve("postgresql"),
                                new SecureRandom(),
                                Patience.PATIENCE)) {
            createDatabase(database, disk);
            try (TestingInstance service = service(database)) {
                TestingClient administrator = service.administrator();
                TestingClient withKey = administrator.withKey("full");
                TestingClient nobody = service.client(null);
                create(administrator).expect(201);

                disk.fill();

                // The first of these fails in a filter, the second in a controller.
                assertRefused(withKey.post("/projects", Map.of("name", "kept")));
                assertRefused(createUntilRefused(administrator));
                administrator.get("/me").expect(200);
                administrator.get("/projects").expect(200);
                assertThat(nobody.root(HEALTH + "/readiness").status()).isEqualTo(200);
                await().untilAsserted(() -> {
                    assertRefused(createUntilRefused(administrator));
                    assertThat(nobody.root(HEALTH).status()).isEqualTo(503);
                });

                disk.empty();

                Answer kept = withKey.post("/projects", Map.of("name", "kept"));
                kept.expect(201);
                assertThat(kept.headers().getFirst("Idempotency-Replayed")).isNull();
                create(administrator).expect(201);
                await().untilAsserted(
                                () -> assertThat(nobody.root(HEALTH).status()).isEqualTo(200));
            }
        }
    }

    private static void createDatabase(EmbeddedDatabase server, MemoryDisk disk)
            throws IOException {
        JdbcClient database =
                JdbcClient.create(
                        new DriverManagerDataSource(
                                server.getJdbcUrl(), server.getUsername(), server.getPassword()));
        database.sql(
                        "create tablespace small location '%s'"
                                .formatted(disk.createFolder("tablespace")))
                .update();
        database.sql("create database %s tablespace small".formatted(DATABASE)).update();
    }

    private TestingInstance service(EmbeddedDatabase database) {
        return TestingInstance.start(
                database,
                DATABASE,
                folder.resolve("token"),
                Map.of(
                        "equipoise.checkpoint.folder",
                        folder.resolve("checkpoints"),
                        "equipoise.rate.user.burst",
                        1_000_000));
    }

    private Answer create(TestingClient client) {
        created++;
        return client.post("/projects", Map.of("name", "project %04d".formatted(created)));
    }

    /** Creates projects while pages that the database has already allocated have room for them. */
    private Answer createUntilRefused(TestingClient client) {
        Answer last = create(client);
        for (int i = 0; i < MAX_PROJECTS && last.status() == 201; i++) {
            last = create(client);
        }
        return last;
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.problem(507, "no-room").path("detail").stringValue())
                .isEqualTo("The disk of the database is full: free disk space, then try again");
        assertThat(answer.headers().getFirst("Retry-After")).isEqualTo("60");
    }
}
