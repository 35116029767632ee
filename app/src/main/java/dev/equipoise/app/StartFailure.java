package dev.equipoise.app;

import dev.equipoise.app.database.DatabaseUnavailable;
import dev.equipoise.app.problem.DatabaseFailure;
import dev.equipoise.app.problem.ExceptionText;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;

/** Explains in one sentence, in place of a stack trace, why the service did not start. */
final class StartFailure implements SpringBootExceptionReporter {

    StartFailure(ConfigurableApplicationContext context) {}

    /** Suppresses the report of Spring Boot: {@link Equipoise#main} explains the failure once. */
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
                return ExceptionText.of(file);
            }
            if (cause instanceof UncheckedIOException attempt
                    && !(attempt.getCause() instanceof FileSystemException)) {
                // The outer message says what was tried and where; the cause says why it failed.
                return "%s: %s".formatted(attempt.getMessage(), ExceptionText.innermost(attempt));
            }
            if (cause instanceof SQLException error) {
                return words(error);
            }
        }
        return "the service did not start: " + ExceptionText.innermost(failure);
    }

    /** Keeps the first line of a database's message; hints and source positions follow it. */
    private static String words(SQLException error) {
        String message =
                firstLine(ExceptionText.innermost(error))
                        .replaceFirst("^(ERROR|FATAL|PANIC): +", "");
        return switch (DatabaseFailure.of(error).orElse(null)) {
            case DISK_FULL -> "the disk of the database is full: " + message;
            case UNAVAILABLE -> "the connection to the database is lost; see its log: " + message;
            case null, default ->
                    "the service did not start because the database rejected a command: " + message;
        };
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
