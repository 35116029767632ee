package dev.equipoise.app.database;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.equipoise.testing.Patience;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Starts the embedded database on folders in the states that a user may bring. */
class EmbeddedDatabaseIT {

    private static final String WRONG_PASSWORD = "28P01";

    /** The result of a first start, which takes most of a test's time; later starts use copies. */
    @TempDir private static Path existing;

    /** Data of a service that required no password, with a table. */
    @TempDir private static Path trusting;

    @TempDir private Path folder;

    @BeforeAll
    static void makeData() throws IOException, SQLException {
        // Another process unpacks the programs into this folder; this one may have unpacked them
        // elsewhere.
        TestingService.start(existing).close();
        try (EmbeddedPostgres database = TestingService.trusting(trusting);
                Connection connection = database.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table kept (it int)");
        }
    }

    private void useExistingData() throws IOException {
        copy(existing, "data");
        copy(existing, "password");
    }

    private void useDataWithoutPassword() throws IOException {
        copy(trusting, "data");
    }

    /** Keeps another process from unpacking the programs. */
    private void useExistingPrograms() throws IOException {
        copy(existing, "server");
    }

    /** Copies files with their permissions: the server rejects data that others may read. */
    private void copy(Path from, String name) throws IOException {
        try (Stream<Path> files = Files.walk(from.resolve(name))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(
                        file,
                        folder.resolve(from.relativize(file)),
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    @Test
    void acceptsOnlyItsPassword() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        try (EmbeddedDatabase database = start()) {
            assertThat(database.getPassword()).hasSize(43).isEqualTo(passwordFile());
            assertThat(permissions(folder.resolve("password"))).isEqualTo("rw-------");
            assertThat(permissions(folder)).isEqualTo("rwx------");
            assertNeedsItsPassword(database);
        }
    }

    @Test
    void secondStartHasTheSameDataAndPassword() throws Exception {
        useExistingData();
        try (EmbeddedDatabase first = start()) {
            execute(first, "create table kept (it int)");
        }
        String password = passwordFile();

        try (EmbeddedDatabase second = start()) {
            assertThat(second.getPassword()).isEqualTo(password);
            assertThat(query(second, "select count(*) from kept")).containsExactly("0");
        }
    }

    @Test
    void dataWithoutPasswordGetsOne() throws Exception {
        useDataWithoutPassword();

        try (EmbeddedDatabase database = start()) {
            assertNeedsItsPassword(database);
            assertThat(query(database, "select count(*) from kept")).containsExactly("0");
        }
        assertThat(permissions(folder.resolve("data/pg_hba.conf"))).isEqualTo("rw-------");
    }

    @Test
    void passwordReplacementContinuesAfterAnyStep() throws Exception {
        useDataWithoutPassword();
        // The password was created, and the server does not know it.
        ServerPassword.make(folder.resolve("password"), new SecureRandom());
        try (EmbeddedDatabase database = start()) {
            assertNeedsItsPassword(database);
        }

        // The server knows the password but does not require it.
        Path rules = folder.resolve("data/pg_hba.conf");
        Files.writeString(rules, Files.readString(rules).replaceAll("scram-sha-256\n", "trust\n"));
        Files.writeString(folder.resolve("data/pg_hba.conf.new"), "half a");
        try (EmbeddedDatabase database = start()) {
            assertNeedsItsPassword(database);
        }
    }

    @Test
    void commitsAreDurable() throws Exception {
        useExistingData();
        try (EmbeddedDatabase database = start()) {
            assertThat(query(database, "show fsync")).containsExactly("on");
            assertThat(query(database, "show synchronous_commit")).containsExactly("on");
            assertThat(query(database, "show full_page_writes")).containsExactly("on");
        }
    }

    @Test
    void interruptedFirstStartCreatesDataAgain() throws Exception {
        Files.createDirectories(folder.resolve("data.new/pg_wal"));
        Files.writeString(folder.resolve("data.new/postgresql.conf"), "half a");
        Files.writeString(folder.resolve("password.new"), "half a");

        try (EmbeddedDatabase database = start()) {
            assertNeedsItsPassword(database);
        }
        assertThat(folder.resolve("data.new")).doesNotExist();
    }

    /**
     * Runs in its own process, since each process unpacks the programs once, for whichever folder.
     */
    @Test
    void interruptedUnpackingIsRepeated() throws Exception {
        useExistingData();
        useExistingPrograms();
        Path programs;
        try (Stream<Path> versions = Files.list(folder.resolve("server"))) {
            programs = versions.findFirst().orElseThrow();
        }
        Files.delete(programs.resolve(".exists"));
        Files.writeString(programs.resolve("bin/pg_ctl"), "half a");

        TestingService.start(folder).close();

        assertThat(programs.resolve("bin/pg_ctl")).content(ISO_8859_1).startsWith("\u007fELF");
    }

    @Test
    void failureContainsTheServersLastMessage() throws Exception {
        useExistingData();
        Files.writeString(folder.resolve("data/PG_VERSION"), "9.6\n");

        assertThatThrownBy(this::start)
                .isInstanceOf(DatabaseUnavailable.class)
                .hasMessageEndingWith("database files are incompatible with server");
    }

    @Test
    void failureNamesTheMissingPasswordFile() throws Exception {
        useExistingData();
        Files.delete(folder.resolve("password"));

        assertThatThrownBy(this::start)
                .isInstanceOf(DatabaseUnavailable.class)
                .hasMessageContaining("its password file %s is missing", passwordPath());
    }

    @Test
    void failureNamesTheServiceThatUsesTheFolder() throws Exception {
        useExistingData();
        useExistingPrograms();
        try (TestingService other = TestingService.start(folder)) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(DatabaseUnavailable.class)
                    .hasMessageEndingWith(
                            "another service (process %d) uses this folder; stop it first",
                            other.pid());
            assertThat(server()).matches(ProcessHandle::isAlive);
        }
    }

    @Test
    void serverOfALivingOlderServiceKeepsRunning() throws Exception {
        useDataWithoutPassword();
        useExistingPrograms();
        try (TestingService _ = TestingService.startOlder(folder)) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(DatabaseUnavailable.class)
                    .hasMessageEndingWith(
                            "another service, of an older version, uses this folder; stop it"
                                    + " first");
            assertThat(server()).matches(ProcessHandle::isAlive);
        }
    }

    @Test
    void serverOfAKilledServiceIsStopped() throws Exception {
        useExistingData();
        useExistingPrograms();
        TestingService killed = TestingService.start(folder);
        ProcessHandle orphan = server();
        try (Connection connection = connectToRunningServer();
                Statement statement = connection.createStatement()) {
            statement.execute("create table kept (it int)");
            killed.kill();
            assertThat(orphan).matches(ProcessHandle::isAlive);

            try (EmbeddedDatabase database = start()) {
                assertThat(orphan).matches(it -> !it.isAlive());
                assertThat(query(database, "select count(*) from kept")).containsExactly("0");
            }
        }
    }

    @Test
    void endedServerIsStartedAgainOnTheSamePort() throws Exception {
        useExistingData();
        List<String> reasons = new CopyOnWriteArrayList<>();
        ProcessHandle second;
        try (EmbeddedDatabase database = start()) {
            execute(database, "create table kept (it int)");
            database.watch(Integer.MAX_VALUE, reasons::add);
            ProcessHandle first = server();
            kill(first);

            await().ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(query(database, "select count(*) from kept"))
                                    .containsExactly("0"));
            second = server();
            assertThat(second.pid()).isNotEqualTo(first.pid());
            assertThat(query(database, "show fsync")).containsExactly("on");
            assertNeedsItsPassword(database);
        }
        assertThat(second.onExit()).succeedsWithin(Patience.PATIENCE);
        assertThat(reasons).isEmpty();
    }

    @Test
    void serverThatCannotBeStartedAgainIsGivenUp() throws Exception {
        useExistingData();
        CompletableFuture<String> reason = new CompletableFuture<>();
        try (EmbeddedDatabase database = start()) {
            database.watch(2, reason::complete);
            Files.writeString(folder.resolve("data/PG_VERSION"), "9.6\n");
            kill(server());

            assertThat(reason.get(Patience.SECONDS, TimeUnit.SECONDS))
                    .contains(folder.resolve("server.log").toString())
                    .endsWith(
                            "2 attempts to start it again failed: database files are incompatible"
                                    + " with server");
        }
    }

    @Test
    void closedDatabaseIsNotStartedAgain() throws Exception {
        useExistingData();
        List<String> reasons = new CopyOnWriteArrayList<>();
        EmbeddedDatabase database = start();
        database.watch(0, reasons::add);
        ProcessHandle server = server();

        database.close();

        assertThat(server.onExit()).succeedsWithin(Patience.PATIENCE);
        assertThat(reasons).isEmpty();
    }

    private static void kill(ProcessHandle server) {
        server.destroyForcibly();
        server.onExit().join();
    }

    @Test
    void serverOfAKilledOlderServiceIsStopped() throws Exception {
        useDataWithoutPassword();
        useExistingPrograms();
        TestingService killed = TestingService.startOlder(folder);
        ProcessHandle orphan = server();
        killed.kill();

        try (EmbeddedDatabase database = start()) {
            assertThat(orphan).matches(it -> !it.isAlive());
            assertNeedsItsPassword(database);
        }
    }

    @ParameterizedTest
    @MethodSource
    void startsOverTheProcessNumberOfADeadServer(long number) throws Exception {
        useExistingData();
        Files.writeString(
                folder.resolve("data/postmaster.pid"),
                "%d%n%s%n1700000000%n5432%n/tmp%nlocalhost%n        0         0%nready%n"
                        .formatted(number, folder.resolve("data")));

        try (EmbeddedDatabase database = start()) {
            assertNeedsItsPassword(database);
        }
    }

    static List<Long> startsOverTheProcessNumberOfADeadServer() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        return List.of(dead.pid(), ProcessHandle.current().pid());
    }

    private ProcessHandle server() throws IOException {
        return ProcessHandle.of(Long.parseLong(serverFile().getFirst())).orElseThrow();
    }

    private Connection connectToRunningServer() throws IOException, SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://localhost:%s/postgres".formatted(serverFile().get(3)),
                "postgres",
                passwordFile());
    }

    private List<String> serverFile() throws IOException {
        return Files.readAllLines(folder.resolve("data/postmaster.pid"));
    }

    private EmbeddedDatabase start() {
        return EmbeddedDatabase.start(folder, new SecureRandom(), Patience.PATIENCE);
    }

    private static void assertNeedsItsPassword(EmbeddedDatabase database) throws SQLException {
        assertThat(query(database, "select distinct auth_method from pg_hba_file_rules"))
                .containsExactly("scram-sha-256");
        assertThatThrownBy(() -> connect(database, "wrong").close())
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(failure.getSQLState()).isEqualTo(WRONG_PASSWORD));
    }

    private static void execute(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = connect(database, database.getPassword());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> query(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = connect(database, database.getPassword());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    private static Connection connect(EmbeddedDatabase database, String password)
            throws SQLException {
        return DriverManager.getConnection(database.getJdbcUrl(), database.getUsername(), password);
    }

    private Path passwordPath() {
        return folder.resolve("password");
    }

    private String passwordFile() throws IOException {
        return Files.readString(passwordPath()).strip();
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
