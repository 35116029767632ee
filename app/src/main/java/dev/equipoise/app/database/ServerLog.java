package dev.equipoise.app.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The log of a start of PostgreSQL and its {@code initdb}. */
record ServerLog(List<String> lines) {

    private static final Pattern REASON =
            Pattern.compile("^(?:.*\\b)?(?:FATAL|PANIC|error): +(?<reason>.+)$");

    /** The answer to clients, including us, that connect before the server is ready. */
    private static final String STARTING_UP = "the database system is starting up";

    private static final String START_FAILED = "pg_ctl: could not start server";

    ServerLog {
        lines = List.copyOf(lines);
    }

    static ServerLog read(Path file) throws IOException {
        // The log may contain bytes that are not UTF-8: a message may contain a file name.
        return new ServerLog(new String(Files.readAllBytes(file), UTF_8).lines().toList());
    }

    /** Returns the log without its first lines. */
    ServerLog after(int count) {
        return new ServerLog(lines.stream().skip(count).toList());
    }

    /** Tells whether the server ended before it was ready, so that waiting is pointless. */
    boolean saysThatItEnded() {
        return lines.stream().anyMatch(line -> line.startsWith(START_FAILED));
    }

    /** Returns the last reason that the log gives for the end. */
    Optional<String> lastReason() {
        return lines.stream()
                .map(REASON::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group("reason").strip())
                .filter(reason -> !reason.equals(STARTING_UP))
                .reduce((_, later) -> later);
    }
}
