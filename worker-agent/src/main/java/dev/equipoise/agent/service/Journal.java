package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Report;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
 * What of one assignment the service has not confirmed, in a file, so that it outlives the process
 * (but not a machine that loses its power). First whose it is, and the report that is under way,
 * then what came after it, line by line; the last may be torn. Where it cannot be written, that is
 * said once, and the work goes on without it. One thread uses it.
 */
public final class Journal {

    /** What the file has beyond what it began with, at most: that, and as much again as it was. */
    private static final long MOST_GROWTH = 8 << 20;

    /** With nothing to tell any more it need not be even this long. */
    private static final long MOST_IDLE = 64 << 10;

    private static final String REPORTED = "=reported";
    private static final String CONFIRMED = "=confirmed";

    /** As it holds a credential. */
    static final FileAttribute<Set<PosixFilePermission>> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final Logger log = LoggerFactory.getLogger(Journal.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Owner owner;
    private final @Nullable Path file;
    private @Nullable BufferedWriter end;
    private long begun;
    private long bytes;
    private boolean broken;

    /** Of an assignment, and of the worker that has it. */
    record Owner(URI service, Credential credential, AssignmentId assignment, int generation) {}

    /**
     * Where the numbering is.
     *
     * @param next the number of the first event that is in no report yet, without the open one
     * @param open the report that is not confirmed; null where there is none
     */
    private record Head(long next, @Nullable Report open) {}

    /** What has come to pass since the file was written. */
    sealed interface Entry {

        /** An event waits. */
        record Added(AgentEvent event) implements Entry {}

        /** What waits has gone into a report. */
        record Reported() implements Entry {}

        /** The service has the report. */
        record Confirmed() implements Entry {}
    }

    /** What a process has left. */
    record Unsent(Owner owner, long next, @Nullable Report open, List<Entry> then, Path file) {

        Unsent {
            then = List.copyOf(then);
        }

        /** The same, told by another credential of the worker. */
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
     * Of work that begins, or goes on.
     *
     * @param file null for none at all
     */
    Journal(Owner owner, @Nullable Path file) {
        this.owner = owner;
        this.file = file;
        this.broken = file == null;
    }

    Owner owner() {
        return owner;
    }

    /**
     * Another event waits.
     *
     * @return whether there is room for it; else all that waits is to be written anew
     */
    boolean added(AgentEvent event) {
        return broken || append(JSON.writeValueAsString(event));
    }

    /** The same of a report that is made of what waits. */
    boolean reported() {
        return broken || append(REPORTED);
    }

    /**
     * The same of the report that the service has.
     *
     * @param isIdle whether nothing waits
     */
    boolean confirmed(boolean isIdle) {
        return broken || (!(isIdle && bytes > MOST_IDLE) && append(CONFIRMED));
    }

    private boolean append(String line) {
        BufferedWriter writer = end;
        if (writer == null || bytes > 2 * begun + MOST_GROWTH) {
            return false;
        }
        try {
            write(writer, line);
            writer.flush();
        } catch (IOException e) {
            giveUp(e);
        }
        return true;
    }

    /** All that waits, from now on. */
    void rewrite(long next, @Nullable Report open, Collection<AgentEvent> waiting) {
        if (file == null || broken) {
            return;
        }
        try {
            close();
            bytes = 0;
            Path aside = aside(file);
            Files.deleteIfExists(aside);
            Files.createFile(aside, OWNER_ALONE);
            BufferedWriter writer = Files.newBufferedWriter(aside, StandardOpenOption.APPEND);
            end = writer;
            write(writer, JSON.writeValueAsString(owner));
            write(writer, JSON.writeValueAsString(new Head(next, open)));
            for (AgentEvent event : waiting) {
                write(writer, JSON.writeValueAsString(event));
            }
            writer.flush();
            begun = bytes;
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            giveUp(e);
        }
    }

    private static Path aside(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    private void write(BufferedWriter writer, String line) throws IOException {
        writer.write(line);
        writer.write('\n');
        bytes += line.length() + 1L;
    }

    /** Nothing is left to be told. */
    void delete() {
        try {
            close();
            if (file != null) {
                Files.deleteIfExists(file);
                Files.deleteIfExists(aside(file));
            }
        } catch (IOException e) {
            log.warn("cannot delete {}: {}", file, e.toString());
        }
    }

    private void close() throws IOException {
        BufferedWriter writer = end;
        end = null;
        if (writer != null) {
            writer.close();
        }
    }

    /** A file that lacks something would tell another story than what was. */
    private void giveUp(IOException failure) {
        log.warn(
                "what the service has not confirmed would be lost with this process, as {} cannot be written: {}",
                file,
                failure.toString());
        broken = true;
        delete();
    }

    /** What is in a file; empty where that is nothing that can be told. */
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
            log.warn("{} cannot be read, and is left alone: {}", file, e.toString());
            return Optional.empty();
        }
    }

    /** Up to the one in whose midst the process ended. */
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
