package dev.equipoise.agent.service;

import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.PrivateFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Journals of one agent, in a folder that it locks as long as it lives, beside those of the host's
 * other agents. A new agent adopts the journals of dead ones.
 */
public final class Journals implements CredentialStore, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Journals.class);
    private static final String LOCK = "lock";
    private static final String SUFFIX = ".jsonl";
    private static final String CREDENTIAL = ".credential";

    private final @Nullable Path own;
    private final @Nullable FileChannel lock;
    private final List<Path> left;
    private final JournalDisk disk;
    private final AtomicBoolean isRenewalFailing = new AtomicBoolean();

    private Journals(
            @Nullable Path own, @Nullable FileChannel lock, List<Path> left, JournalDisk disk) {
        this.own = own;
        this.lock = lock;
        this.left = List.copyOf(left);
        this.disk = disk;
    }

    /** Returns journals that store nothing. */
    public static Journals none() {
        return new Journals(null, null, List.of(), JournalDisk.ofHost());
    }

    /** Returns the folder of all journals, in {@code XDG_STATE_HOME} or its default. */
    public static Path folder(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        Path base = state.isBlank() ? Path.of(home, ".local", "state") : Path.of(state);
        return base.resolve("equipoise").resolve("unsent");
    }

    /**
     * Opens journals in a folder, which may be new; if it cannot be used, that is logged and
     * nothing is stored.
     */
    public static Journals open(Path folder) {
        return open(folder, JournalDisk.ofHost());
    }

    static Journals open(Path folder, JournalDisk disk) {
        try {
            Path own = PrivateFolder.create(folder.resolve(UUID.randomUUID().toString()));
            FileChannel lock =
                    FileChannel.open(
                            own.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) {
                throw new IOException("another process holds the lock of its new folder");
            }
            return new Journals(own, lock, adopt(folder, own), disk);
        } catch (IOException e) {
            log.warn(
                    "events that the service has not confirmed are lost if this process ends:"
                            + " {} cannot be used: {}",
                    folder,
                    e.toString());
            return none();
        }
    }

    private static List<Path> adopt(Path folder, Path own) throws IOException {
        List<Path> adopted = new ArrayList<>();
        try (Stream<Path> others = Files.list(folder)) {
            for (Path other : others.filter(it -> !it.equals(own)).toList()) {
                adopted.addAll(adoptFrom(other, own));
            }
        }
        if (adopted.isEmpty()) {
            for (Path credential : files(own, CREDENTIAL)) {
                Files.delete(credential);
            }
        }
        return adopted;
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(it -> it.toString().endsWith(suffix)).toList();
        }
    }

    /** Adopts the journals of a dead agent; none of a living one, or if another agent is faster. */
    private static List<Path> adoptFrom(Path other, Path own) {
        List<Path> adopted = new ArrayList<>();
        try (FileChannel lock = FileChannel.open(other.resolve(LOCK), StandardOpenOption.WRITE)) {
            if (lock.tryLock() == null) {
                return List.of();
            }
            for (Path credential : files(other, CREDENTIAL)) {
                Files.move(credential, own.resolve(credential.getFileName()));
            }
            for (Path file : files(other, SUFFIX)) {
                adopted.add(Files.move(file, own.resolve(file.getFileName())));
            }
            delete(other);
        } catch (OverlappingFileLockException | IOException e) {
            log.debug("{} is not adopted: {}", other, e.toString());
        }
        return adopted;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** Creates the journal of a new assignment. */
    Journal of(URI service, Credential credential, AssignmentId assignment, int generation) {
        return new Journal(
                new Journal.Owner(service, credential, assignment, generation),
                own == null ? null : own.resolve(assignment + SUFFIX),
                disk);
    }

    /**
     * Stores a worker's newest credential, with which its old journals are then reported.
     *
     * @param first credential that its journals contain
     * @return whether the credential is on disk, if there is a folder
     */
    @Override
    public boolean renew(Credential first, Credential newest) {
        if (own == null) {
            return true;
        }
        Path file = own.resolve(name(first) + CREDENTIAL);
        Path temporary = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.deleteIfExists(temporary);
            Files.createFile(temporary, Journal.OWNER_ALONE);
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                channel.write(StandardCharsets.US_ASCII.encode(newest.text()));
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            isRenewalFailing.set(false);
            return true;
        } catch (IOException e) {
            // The service asks for the renewal again every few seconds.
            if (!isRenewalFailing.getAndSet(true)) {
                log.warn(
                        "the credential is not renewed until {} can be written: {}",
                        file,
                        e.toString());
            }
            return false;
        }
    }

    /** Returns the file name of a credential, which does not reveal it. */
    private static String name(Credential first) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(first.text().getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static Journal.Unsent byNewest(Journal.Unsent unsent) {
        Path file = unsent.file().resolveSibling(name(unsent.owner().credential()) + CREDENTIAL);
        try {
            return Files.exists(file) ? unsent.by(Credential.of(Files.readString(file))) : unsent;
        } catch (IOException | IllegalArgumentException e) {
            log.warn("{} cannot be read: {}", file, e.toString());
            return unsent;
        }
    }

    /** Returns the events that earlier agents could not report to a service. */
    List<Journal.Unsent> left(URI service) {
        return left.stream()
                .map(Journal::read)
                .flatMap(Optional::stream)
                .filter(it -> it.owner().service().equals(service))
                .map(Journals::byNewest)
                .toList();
    }

    /** Deletes the folder if it is empty; otherwise the next agent adopts it. */
    @Override
    public void close() {
        if (lock == null || own == null) {
            return;
        }
        try (lock) {
            if (files(own, SUFFIX).isEmpty()) {
                delete(own);
            }
        } catch (IOException e) {
            log.warn("{} cannot be deleted: {}", own, e.toString());
        }
    }
}
