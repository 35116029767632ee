package dev.equipoise.app.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What PostgreSQL and its {@code initdb} said while they were started. */
record ServerLog(List<String> lines) {

    private static final Pattern REASON =
            Pattern.compile("^(?:.*\\b)?(?:FATAL|PANIC|error): +(?<reason>.+)$");

    /** Said to whoever asks before the server is up, as we do. */
    private static final String NOT_YET = "the database system is starting up";

    private static final String NO_START = "pg_ctl: could not start server";

    ServerLog {
        lines = List.copyOf(lines);
    }

    static ServerLog read(Path file) throws IOException {
        // Not all of it need be text: a message may hold the name of a file.
        return new ServerLog(new String(Files.readAllBytes(file), UTF_8).lines().toList());
    }

    /** Whether the server ended before it was up, so that nobody need wait for it. */
    boolean saysThatItEnded() {
        return lines.stream().anyMatch(line -> line.startsWith(NO_START));
    }

    /** The last reason for ending that was given. */
    Optional<String> lastReason() {
        return lines.stream()
                .map(REASON::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group("reason").strip())
                .filter(reason -> !reason.equals(NOT_YET))
                .reduce((_, later) -> later);
    }
}
