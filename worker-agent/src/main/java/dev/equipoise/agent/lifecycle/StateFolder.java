package dev.equipoise.agent.lifecycle;

import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.PrivateFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Folder that tells an agent which worker it is. One process at a time may open it. Each change
 * replaces a file atomically, so that a process that ends at any point leaves the state before the
 * change or the one after it. Thread-safe.
 */
final class StateFolder implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StateFolder.class);
    private static final String LOCK = "lock";

    /** Worker that the service has confirmed. */
    private static final String WORKER = "worker.json";

    /** Credential of a registration that the service has not confirmed. */
    private static final String JOINING = "joining.json";

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path folder;

    /** Closing this channel releases the lock. */
    private final FileChannel lock;

    private @Nullable WorkerIdentity identity;
    private @Nullable WorkerIdentity joining;
    private boolean isRenewalFailing;

    private StateFolder(
            Path folder,
            FileChannel lock,
            @Nullable WorkerIdentity identity,
            @Nullable WorkerIdentity joining) {
        this.folder = folder;
        this.lock = lock;
        this.identity = identity;
        this.joining = joining;
    }

    /** Returns the default folder, in {@code XDG_STATE_HOME} or its default. */
    static Path folder(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        Path base = state.isBlank() ? Path.of(home, ".local", "state") : Path.of(state);
        return base.resolve("equipoise").resolve("agent");
    }

    /**
     * Opens a folder, which may be new, and locks it. The operating system releases the lock when
     * the process ends in any way.
     *
     * @throws AgentFailed when another process has the lock, or the folder cannot be used
     */
    static StateFolder open(Path folder) {
        try {
            FileChannel lock = lock(PrivateFolder.create(folder));
            try {
                return new StateFolder(
                        folder, lock, read(folder.resolve(WORKER)), read(folder.resolve(JOINING)));
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        Path file = folder.resolve(LOCK);
        FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        OWNER_ALONE);
        try {
            if (channel.tryLock() == null) {
                throw inUse(folder, file, null);
            }
            writeProcessNumber(channel);
            return channel;
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw inUse(folder, file, e);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static AgentFailed inUse(Path folder, Path file, @Nullable Exception cause)
            throws IOException {
        return new AgentFailed(
                "another agent (process %s) uses the state folder %s: stop it, or give this agent a folder of its own with --state"
                        .formatted(Files.readString(file).strip(), folder),
                cause);
    }

    private static void writeProcessNumber(FileChannel channel) throws IOException {
        String line = ProcessHandle.current().pid() + "\n";
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
    }

    private static @Nullable WorkerIdentity read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        String content = Files.readString(file);
        try {
            // The content null gives no object.
            return Optional.ofNullable(JSON.readValue(content, WorkerIdentity.class))
                    .orElseThrow(() -> damaged(file));
        } catch (JacksonException e) {
            // The cause may contain a credential.
            throw damaged(file);
        }
    }

    private static AgentFailed damaged(Path file) {
        return new AgentFailed(
                "%s is not a state that an agent has written: restore it, or remove it to join as a new worker"
                        .formatted(file),
                null);
    }

    private static AgentFailed unusable(Path folder, IOException cause) {
        return new AgentFailed(
                "the state folder %s cannot be used: %s".formatted(folder, cause), cause);
    }

    Path path() {
        return folder;
    }

    /** Returns the worker of this folder; empty if this agent has not joined. */
    synchronized Optional<WorkerIdentity> identity() {
        return Optional.ofNullable(identity);
    }

    /** Returns the identity of a registration that was begun and not confirmed. */
    synchronized Optional<WorkerIdentity> joining() {
        return Optional.ofNullable(joining);
    }

    /**
     * Stores the credential with which this agent is about to join as a new worker; the worker of
     * this folder stays until the service has confirmed the registration.
     */
    synchronized void beginJoining(WorkerIdentity next) {
        try {
            write(JOINING, next);
        } catch (IOException e) {
            throw unusable(folder, e);
        }
        joining = next;
    }

    /** Stores the worker of a registration that the service has confirmed. */
    synchronized void joined(WorkerIdentity confirmed) {
        try {
            write(WORKER, confirmed);
            Files.deleteIfExists(folder.resolve(JOINING));
        } catch (IOException e) {
            throw unusable(folder, e);
        }
        identity = confirmed;
        joining = null;
    }

    /**
     * Stores a new credential of the worker, together with the previous one.
     *
     * @return whether it is on disk
     */
    synchronized boolean renew(Credential newest) {
        WorkerIdentity current = identity;
        if (current == null) {
            throw new IllegalStateException("only a registered worker has a credential to renew");
        }
        WorkerIdentity renewed = current.renewed(newest);
        try {
            write(WORKER, renewed);
        } catch (IOException e) {
            // The service asks for the renewal again every few seconds.
            if (!isRenewalFailing) {
                log.warn(
                        "the credential is not renewed until {} can be written: {}",
                        folder,
                        e.toString());
            }
            isRenewalFailing = true;
            return false;
        }
        isRenewalFailing = false;
        identity = renewed;
        return true;
    }

    private void write(String name, WorkerIdentity content) throws IOException {
        Path file = folder.resolve(name);
        Path temporary = folder.resolve(name + ".part");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, OWNER_ALONE);
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(JSON.writeValueAsBytes(content));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    /** Releases the lock. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            log.warn("the lock of {} cannot be released: {}", folder, e.toString());
        }
    }
}
