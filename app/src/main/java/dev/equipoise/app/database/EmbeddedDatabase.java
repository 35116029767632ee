package dev.equipoise.app.database;

import dev.equipoise.app.file.PrivateFile;
import dev.equipoise.app.problem.Reason;
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
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.util.FileSystemUtils;

/**
 * PostgreSQL run by this process from the binaries on its class path, for a laboratory without a
 * database of its own. It listens on the loopback interface alone, on a free port, and asks for the
 * password that {@value #PASSWORD_FILE} holds.
 *
 * <p>A folder that is called {@value #DATA} is complete: new data are made in a folder of another
 * name, so that a process which ends meanwhile leaves nothing that cannot be opened. A server that
 * a killed service left running is stopped first; {@link FolderLock} tells whether its service
 * lives.
 */
public final class EmbeddedDatabase implements JdbcConnectionDetails, AutoCloseable {

    private static final String PASSWORD_FILE = "password";
    private static final String DATA = "data";
    private static final String NAME = "postgres";

    private final EmbeddedPostgres postgres;
    private final ServerPassword password;
    private final FolderLock lock;

    private EmbeddedDatabase(EmbeddedPostgres postgres, ServerPassword password, FolderLock lock) {
        this.postgres = postgres;
        this.password = password;
        this.lock = lock;
    }

    /**
     * Starts a server on the data that the folder holds, or on new data.
     *
     * @param timeout for each start of the server, of which new data take two, and for each stop
     * @throws DatabaseUnavailable with the reason
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public static EmbeddedDatabase start(Path folder, SecureRandom random, Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "equipoise.database.start-timeout must be positive, but was " + timeout);
        }
        Path place = folder.toAbsolutePath();
        try {
            Files.createDirectories(place);
            // The library lets everybody write where it unpacks the programs.
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx------"));
            FolderLock lock = FolderLock.take(place);
            try {
                refuseLivingService(place);
                ServerPrograms.in(place).discardUnfinished();
                discardUnfinishedData(place, timeout);
                requireRoom(place);
                return open(place, lock, random, timeout);
            } catch (IOException | RuntimeException failure) {
                lock.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new DatabaseUnavailable(place, Reason.of(failure), failure);
        }
    }

    /** Services that knew no lock of the folder had this one alone, once their server was up. */
    private static void refuseLivingService(Path folder) throws IOException {
        Path data = folder.resolve(DATA);
        if (RunningServer.on(data).isPresent() && FolderLock.isTaken(data.resolve("epg-lock"))) {
            throw new DatabaseUnavailable(
                    folder, "another service, of an older version, runs on this folder");
        }
    }

    private static void requireRoom(Path folder) throws IOException {
        DiskRoom room = DiskRoom.of(folder);
        boolean isKnown =
                holdsData(folder.resolve(DATA)) && ServerPrograms.in(folder).areUnpacked();
        Optional<String> lack = isKnown ? room.lackForKnownData() : room.lackForNewData();
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
        Path data = folder.resolve(DATA);
        ServerPassword password;
        if (!holdsData(data)) {
            password = password(folder, random);
            makeData(folder, password, timeout);
        } else if (rules(data).trustAnybody()) {
            password = password(folder, random);
            replaceTrust(folder, password, timeout);
        } else {
            password = knownPassword(folder);
        }
        return new EmbeddedDatabase(
                new ServerStart(folder, data, password, timeout).await(), password, lock);
    }

    private static ServerPassword password(Path folder, SecureRandom random) throws IOException {
        Path file = folder.resolve(PASSWORD_FILE);
        return Files.exists(file) ? ServerPassword.read(file) : ServerPassword.make(file, random);
    }

    private static ServerPassword knownPassword(Path folder) throws IOException {
        Path file = folder.resolve(PASSWORD_FILE);
        if (!Files.exists(file)) {
            throw new DatabaseUnavailable(
                    folder,
                    ("its password file %s is missing; put it back, or write trust for %s in %s, so"
                                    + " that a new password is made")
                            .formatted(file, AccessRules.METHOD, rulesFile(folder.resolve(DATA))));
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
     * Sets the password while none is needed, and demands it from the next start on. Every step can
     * be done again: until the rules are rewritten, which is the last step, any password will do.
     */
    private static void replaceTrust(Path folder, ServerPassword password, Duration timeout)
            throws IOException {
        Path data = folder.resolve(DATA);
        try (EmbeddedPostgres trusting = new ServerStart(folder, data, password, timeout).await();
                Connection connection = trusting.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            // A command without parameters; the text holds nothing that needs quoting.
            statement.execute("alter role %s password '%s'".formatted(NAME, password.text()));
        } catch (SQLException failure) {
            throw new DatabaseUnavailable(
                    folder, "its password cannot be set: " + failure.getMessage(), failure);
        }
        PrivateFile.write(rulesFile(data), rules(data).withPasswords().text());
    }

    private static AccessRules rules(Path data) throws IOException {
        return new AccessRules(Files.readAllLines(rulesFile(data)));
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
        return password.text();
    }

    @Override
    public void close() throws IOException {
        postgres.close();
        lock.close();
    }
}
