package dev.equipoise.agent.service;

import dev.equipoise.endpoint.ServiceAddress;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Report;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Journal: a file with the events of one assignment that the service has not confirmed. It outlives
 * the process, but not a power failure of the host. The first lines hold the owner and the open
 * report; the following lines hold later events and confirmations, and the last one may be torn. If
 * the file cannot be written, as on a full disk, the work continues with its events in memory alone
 * until a later attempt to write the file succeeds. One thread uses it.
 */
public final class Journal {

    /** Growth, in bytes, after which the file is rewritten; it may also double its initial size. */
    private static final long MAX_GROWTH = 8 << 20;

    /** Size, in bytes, above which a file without unconfirmed events is rewritten. */
    private static final long MAX_IDLE = 64 << 10;

    /**
     * Changes after a failure until the file is written again with all waiting events. A file
     * without waiting events is small, and written again at once.
     */
    static final int RETRY_INTERVAL = 1_000;

    private static final String REPORTED = "=reported";
    private static final String CONFIRMED = "=confirmed";

    /** Permissions of a file that contains a credential. */
    static final FileAttribute<Set<PosixFilePermission>> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final Logger log = LoggerFactory.getLogger(Journal.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Owner owner;
    private final @Nullable Path file;
    private final JournalDisk disk;
    private @Nullable Writer end;
    private long initialBytes;
    private long bytes;

    /** Whether the file was deleted, since it could not be written. */
    private boolean isBroken;

    /** Changes since the last failure. */
    private int missed;

    /** Assignment of a journal, and its worker. */
    record Owner(URI service, Credential credential, AssignmentId assignment, int generation) {

        /** Removes a slash at the end of the address, which earlier versions have stored. */
        Owner {
            service = ServiceAddress.withoutSlash(service);
        }
    }

    /**
     * Numbering of the events.
     *
     * @param next number of the first event that is in no report yet, without those of the open one
     * @param open unconfirmed report, or null
     */
    private record Head(long next, @Nullable Report open) {}

    /** Change since the file was written. */
    sealed interface Entry {

        /** A new event waits. */
        record Added(AgentEvent event) implements Entry {}

        /** The waiting events have become a report. */
        record Reported() implements Entry {}

        /** The service has confirmed the report. */
        record Confirmed() implements Entry {}
    }

    /** Content of a journal that an earlier process left. */
    record Unsent(Owner owner, long next, @Nullable Report open, List<Entry> then, Path file) {

        Unsent {
            then = List.copyOf(then);
        }

        /** Returns the same content with a newer credential of the worker. */
        Unsent by(Credential newest) {
            return new Unsent(
                    new Owner(owner.service(), newest, owner.assignment(), owner.generation()),
                    next,
                    open,
                    then,
                    file);
        }
    }

    /**
     * Creates a journal for an assignment that starts or continues.
     *
     * @param file null for no journal
     */
    Journal(Owner owner, @Nullable Path file) {
        this(owner, file, JournalDisk.ofHost());
    }

    /** Creates a journal on a disk that may be shared with others; otherwise as above. */
    Journal(Owner owner, @Nullable Path file, JournalDisk disk) {
        this.owner = owner;
        this.file = file;
        this.disk = disk;
    }

    Owner owner() {
        return owner;
    }

    /**
     * Appends a waiting event.
     *
     * @return whether the journal needs nothing more; otherwise the caller must rewrite the file
     */
    boolean added(AgentEvent event) {
        return isSkipped(false) || append(JSON.writeValueAsString(event));
    }

    /** Appends that the waiting events have become a report; returns as {@link #added}. */
    boolean reported() {
        return isSkipped(false) || append(REPORTED);
    }

    /**
     * Appends that the service has confirmed the report; returns as {@link #added}.
     *
     * @param isIdle whether no event waits
     */
    boolean confirmed(boolean isIdle) {
        return isSkipped(isIdle) || (!(isIdle && bytes > MAX_IDLE) && append(CONFIRMED));
    }

    /**
     * Returns whether a change stays in memory: there is no file, or it is too early for another
     * attempt to write it.
     *
     * @param isIdle whether no event waits
     */
    private boolean isSkipped(boolean isIdle) {
        if (file == null) {
            return true;
        }
        if (!isBroken) {
            return false;
        }
        missed++;
        return !isIdle && missed < RETRY_INTERVAL;
    }

    private boolean append(String line) {
        Writer writer = end;
        if (file == null || writer == null || bytes > 2 * initialBytes + MAX_GROWTH) {
            return false;
        }
        try {
            write(writer, line);
            writer.flush();
        } catch (IOException e) {
            giveUp(file, e);
        }
        return true;
    }

    /** Replaces the file with all unconfirmed events. */
    void rewrite(long next, @Nullable Report open, Collection<AgentEvent> waiting) {
        if (file == null) {
            return;
        }
        try {
            close();
            bytes = 0;
            Path temporary = temporary(file);
            Writer writer = disk.create(temporary);
            end = writer;
            write(writer, JSON.writeValueAsString(owner));
            write(writer, JSON.writeValueAsString(new Head(next, open)));
            for (AgentEvent event : waiting) {
                write(writer, JSON.writeValueAsString(event));
            }
            writer.flush();
            initialBytes = bytes;
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            isBroken = false;
            disk.works(file);
        } catch (IOException e) {
            giveUp(file, e);
        }
    }

    private static Path temporary(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    private void write(Writer writer, String line) throws IOException {
        writer.write(line);
        writer.write('\n');
        bytes += line.length() + 1L;
    }

    /** Deletes the file, once everything is confirmed. */
    void delete() {
        try {
            close();
        } catch (IOException e) {
            // A full disk refuses the last bytes of a file that is deleted anyway.
            log.debug("cannot complete {}: {}", file, e.toString());
        }
        try {
            if (file != null) {
                Files.deleteIfExists(file);
                Files.deleteIfExists(temporary(file));
            }
        } catch (IOException e) {
            log.warn("cannot delete {}: {}", file, e.toString());
        }
    }

    private void close() throws IOException {
        Writer writer = end;
        end = null;
        if (writer != null) {
            writer.close();
        }
    }

    /**
     * Deletes the file, since an incomplete journal would report something else than what happened.
     */
    private void giveUp(Path unusable, IOException failure) {
        disk.failed(unusable, failure);
        isBroken = true;
        missed = 0;
        delete();
    }

    /** Reads a journal; empty for a file without usable content. */
    static Optional<Unsent> read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            if (lines.size() < 2) {
                return Optional.empty();
            }
            Owner owner = JSON.readValue(lines.get(0), Owner.class);
            Head head = JSON.readValue(lines.get(1), Head.class);
            return Optional.of(
                    new Unsent(
                            owner,
                            head.next(),
                            head.open(),
                            entries(lines.subList(2, lines.size())),
                            file));
        } catch (IOException | JacksonException e) {
            log.warn("{} cannot be read, and is skipped: {}", file, e.toString());
            return Optional.empty();
        }
    }

    /** Parses the entries up to a torn line, in the midst of which the process ended. */
    private static List<Entry> entries(List<String> lines) {
        List<Entry> entries = new ArrayList<>();
        for (String line : lines) {
            try {
                entries.add(
                        switch (line) {
                            case REPORTED -> new Entry.Reported();
                            case CONFIRMED -> new Entry.Confirmed();
                            default -> new Entry.Added(JSON.readValue(line, AgentEvent.class));
                        });
            } catch (JacksonException torn) {
                return entries;
            }
        }
        return entries;
    }
}
