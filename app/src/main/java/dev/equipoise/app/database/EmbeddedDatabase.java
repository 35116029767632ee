package dev.equipoise.app.database;

import dev.equipoise.app.file.PrivateFile;
import dev.equipoise.app.problem.ExceptionText;
import dev.equipoise.protocol.PrivateFolder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.util.FileSystemUtils;

/**
 * PostgreSQL that this process runs from the binaries on its class path, for a lab without a
 * database of its own. It listens on a free port of the loopback interface only and requires the
 * password in the file {@value #PASSWORD_FILE}.
 *
 * <p>A folder named {@value #DATA} is complete: new data are created in a folder with another name,
 * so that a process that ends halfway leaves no data that cannot be opened. A server that a killed
 * service left running is stopped first; {@link FolderLock} tells whether its service is alive.
 */
public final class EmbeddedDatabase implements JdbcConnectionDetails, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final String PASSWORD_FILE = "password";
    private static final String DATA = "data";
    private static final String NAME = "postgres";

    private final EmbeddedPostgres postgres;
    private final ServerStart start;
    private final FolderLock lock;
    private volatile @Nullable ServerWatch watch;

    private EmbeddedDatabase(EmbeddedPostgres postgres, ServerStart start, FolderLock lock) {
        this.postgres = postgres;
        this.start = start;
        this.lock = lock;
    }

    /**
     * Starts a server on the existing data of the folder, or on new data.
     *
     * @param timeout for each start of the server, of which new data need two, and for each stop
     * @throws DatabaseUnavailable with the reason
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public static EmbeddedDatabase start(Path folder, SecureRandom random, Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "equipoise.database.start-timeout must be positive, but was " + timeout);
        }
        Path absolute = folder.toAbsolutePath();
        try {
            PrivateFolder.create(absolute);
            // The library lets everybody write to the folder where it unpacks the programs.
            Files.setPosixFilePermissions(absolute, PosixFilePermissions.fromString("rwx------"));
            FolderLock lock = FolderLock.take(absolute);
            try {
                requireNoLivingService(absolute);
                ServerPrograms.in(absolute).discardUnfinished();
                discardUnfinishedData(absolute, timeout);
                requireSpace(absolute);
                return open(absolute, lock, random, timeout);
            } catch (IOException | RuntimeException failure) {
                lock.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new DatabaseUnavailable(absolute, ExceptionText.of(failure), failure);
        }
    }

    /** Fails if a service of a version before the folder lock runs on this folder. */
    private static void requireNoLivingService(Path folder) throws IOException {
        Path data = folder.resolve(DATA);
        if (RunningServer.on(data).isPresent() && FolderLock.isTaken(data.resolve("epg-lock"))) {
            throw new DatabaseUnavailable(
                    folder,
                    "another service, of an older version, uses this folder; stop it first");
        }
    }

    private static void requireSpace(Path folder) throws IOException {
        DiskSpaceCheck space = DiskSpaceCheck.of(folder);
        boolean isComplete =
                holdsData(folder.resolve(DATA)) && ServerPrograms.in(folder).areUnpacked();
        Optional<String> lack = isComplete ? space.lackForKnownData() : space.lackForNewData();
        if (lack.isPresent()) {
            throw new DatabaseUnavailable(folder, lack.get());
        }
    }

    private static boolean holdsData(Path data) {
        return Files.exists(data.resolve("PG_VERSION"));
    }

    private static EmbeddedDatabase open(
            Path folder, FolderLock lock, SecureRandom random, Duration timeout)
            throws IOException {
        ServerPassword password = prepareData(folder, random, timeout);
        ServerStart start = new ServerStart(folder, folder.resolve(DATA), password, timeout);
        return new EmbeddedDatabase(start.await(), start, lock);
    }

    /**
     * Watches the server from now on until this object closes: if the server ends, it is started
     * again on the same port, since the connection pool knows no other.
     *
     * @param attempts in a row to start it again, at least 0
     * @param onFailure receives the reason in words if all attempts have failed
     */
    void watch(int attempts, Consumer<String> onFailure) {
        try {
            Optional<RestartableServer> server = RestartableServer.of(start);
            if (server.isEmpty()) {
                log.warn("the process of the embedded PostgreSQL is unknown: nothing watches it");
                return;
            }
            ServerWatch begun = new ServerWatch(server.get(), attempts, onFailure);
            begun.begin();
            watch = begun;
        } catch (IOException failure) {
            throw new DatabaseUnavailable(start.folder(), ExceptionText.of(failure), failure);
        }
    }

    /** Starts no server again while the service stops: what stops it may stop the server too. */
    @EventListener
    void on(ContextClosedEvent closing) {
        ServerWatch begun = watch;
        if (begun != null) {
            begun.stop();
        }
    }

    /** Ensures that there are data that require a password, and returns it. */
    private static ServerPassword prepareData(Path folder, SecureRandom random, Duration timeout)
            throws IOException {
        Path data = folder.resolve(DATA);
        if (!holdsData(data)) {
            ServerPassword password = password(folder, random);
            makeData(folder, password, timeout);
            return password;
        }
        if (rules(data).trustAnybody()) {
            ServerPassword password = password(folder, random);
            replaceTrust(folder, password, timeout);
            return password;
        }
        return existingPassword(folder);
    }

    private static ServerPassword password(Path folder, SecureRandom random) throws IOException {
        Path file = folder.resolve(PASSWORD_FILE);
        return Files.exists(file) ? ServerPassword.read(file) : ServerPassword.make(file, random);
    }

    private static ServerPassword existingPassword(Path folder) throws IOException {
        Path file = folder.resolve(PASSWORD_FILE);
        if (!Files.exists(file)) {
            throw new DatabaseUnavailable(
                    folder,
                    ("its password file %s is missing; restore it, or replace %s by trust in %s,"
                                    + " so that the service creates a new password")
                            .formatted(
                                    file,
                                    ClientAuthenticationRules.METHOD,
                                    rulesFile(folder.resolve(DATA))));
        }
        return ServerPassword.read(file);
    }

    private static void discardUnfinishedData(Path folder, Duration timeout) throws IOException {
        Path unfinished = unfinishedData(folder);
        RunningServer.stopOn(unfinished, timeout);
        FileSystemUtils.deleteRecursively(unfinished);
    }

    private static Path unfinishedData(Path folder) {
        return folder.resolve(DATA + ".new");
    }

    private static void makeData(Path folder, ServerPassword password, Duration timeout)
            throws IOException {
        Path unfinished = unfinishedData(folder);
        new ServerStart(folder, unfinished, password, timeout).await().close();
        RunningServer.stopOn(unfinished, timeout);
        Files.move(unfinished, folder.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Sets the password while none is required, and requires it from the next start on. Every step
     * can be repeated: until the last step rewrites the rules, any password works.
     */
    private static void replaceTrust(Path folder, ServerPassword password, Duration timeout)
            throws IOException {
        Path data = folder.resolve(DATA);
        try (EmbeddedPostgres trusting = new ServerStart(folder, data, password, timeout).await();
                Connection connection = trusting.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            // The command takes no parameters; the text needs no quoting.
            statement.execute("alter role %s password '%s'".formatted(NAME, password.text()));
        } catch (SQLException failure) {
            throw new DatabaseUnavailable(
                    folder, "its password could not be set: " + failure.getMessage(), failure);
        }
        PrivateFile.write(rulesFile(data), rules(data).withPasswords().text());
    }

    private static ClientAuthenticationRules rules(Path data) throws IOException {
        return new ClientAuthenticationRules(Files.readAllLines(rulesFile(data)));
    }

    private static Path rulesFile(Path data) {
        return data.resolve("pg_hba.conf");
    }

    @Override
    public String getJdbcUrl() {
        return postgres.getJdbcUrl(NAME, NAME);
    }

    @Override
    public String getUsername() {
        return NAME;
    }

    @Override
    public String getPassword() {
        return start.password().text();
    }

    @Override
    public void close() throws IOException {
        ServerWatch begun = watch;
        if (begun != null) {
            begun.close();
        }
        postgres.close();
        lock.close();
    }
}
