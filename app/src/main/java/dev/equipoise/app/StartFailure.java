package dev.equipoise.app;

import dev.equipoise.app.database.DatabaseUnavailable;
import dev.equipoise.app.problem.Reason;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;

/** Says in one sentence why the service did not start, in place of a stack trace. */
final class StartFailure implements SpringBootExceptionReporter {

    // The kinds of failure that the SQL standard and PostgreSQL tell by number.
    private static final String DISK_FULL = "53100";
    private static final String CONNECTION_LOST = "08";
    private static final String SHUT_DOWN = "57P";

    StartFailure(ConfigurableApplicationContext context) {}

    /** Nothing here: {@link Equipoise#main} gets the failure and explains it once. */
    @Override
    public boolean reportException(Throwable failure) {
        return true;
    }

    static void explain(Throwable failure) {
        System.err.println("equipoise: " + sentence(failure));
    }

    static String sentence(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PortInUseException busy) {
                return "port %d is in use; stop what listens there or choose another with --server.port"
                        .formatted(busy.getPort());
            }
            if (cause instanceof DatabaseUnavailable unavailable) {
                return String.valueOf(unavailable.getMessage());
            }
            if (cause instanceof FileSystemException file) {
                return Reason.of(file);
            }
            if (cause instanceof UncheckedIOException attempt
                    && !(attempt.getCause() instanceof FileSystemException)) {
                // It says what was tried and where, the cause why it failed.
                return "%s: %s".formatted(attempt.getMessage(), Reason.innermost(attempt));
            }
            if (cause instanceof SQLException refusal) {
                return words(refusal);
            }
        }
        return "the service did not start: " + Reason.innermost(failure);
    }

    /** A database's message goes on, after its first line, with hints and places in its source. */
    private static String words(SQLException refusal) {
        String state = String.valueOf(refusal.getSQLState());
        String message =
                firstLine(Reason.innermost(refusal)).replaceFirst("^(ERROR|FATAL|PANIC): +", "");
        if (state.equals(DISK_FULL)) {
            return "the disk of the database is full: " + message;
        }
        return state.startsWith(CONNECTION_LOST) || state.startsWith(SHUT_DOWN)
                ? "the connection to the database is lost, and its log says why: " + message
                : "the service did not start, as the database refused a command: " + message;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
