package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.database.DatabaseUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.PortInUseException;

class StartFailureTest {

    private static RuntimeException wrapped(Throwable cause) {
        return new IllegalStateException("wrapper", new IllegalArgumentException("inner", cause));
    }

    @Test
    void usedPortIsNamed() {
        assertThat(StartFailure.sentence(wrapped(new PortInUseException(8080))))
                .startsWith("port 8080 is in use; stop what listens there or choose another");
    }

    @Test
    void databaseFailureIsExplained() {
        assertThat(
                        StartFailure.sentence(
                                wrapped(
                                        new DatabaseUnavailable(
                                                Path.of("/data"), "the disk is full"))))
                .isEqualTo("the embedded PostgreSQL did not start in /data: the disk is full");
    }

    @Test
    void fileAndReasonAreNamed() {
        assertThat(StartFailure.sentence(wrapped(new FileSystemException("/a", null, "Not empty"))))
                .isEqualTo("/a: Not empty");
        assertThat(StartFailure.sentence(wrapped(new AccessDeniedException("/a"))))
                .isEqualTo("/a: permission denied");
    }

    @Test
    void failedOperationIsNamedWithItsReason() {
        assertThat(
                        StartFailure.sentence(
                                wrapped(
                                        new UncheckedIOException(
                                                "the token cannot be written to /a",
                                                new IOException("No space left on device")))))
                .isEqualTo("the token cannot be written to /a: No space left on device");
    }

    @Test
    void sqlErrorsAreExplainedInOneLine() {
        assertThat(
                        StartFailure.sentence(
                                wrapped(
                                        new SQLException(
                                                "ERROR: could not extend file \"base/5/1\": No space"
                                                        + " left on device\n  Hint: Check it.",
                                                "53100"))))
                .isEqualTo(
                        "the disk of the database is full: could not extend file \"base/5/1\": No"
                                + " space left on device");
        assertThat(
                        StartFailure.sentence(
                                wrapped(new SQLException("FATAL: shutting down", "57P03"))))
                .isEqualTo("the connection to the database is lost; see its log: shutting down");
        assertThat(StartFailure.sentence(wrapped(new SQLException("no such table", "42P01"))))
                .isEqualTo(
                        "the service did not start because the database rejected a command: no"
                                + " such table");
    }

    @Test
    void otherFailuresShowTheirRootCause() {
        assertThat(StartFailure.sentence(wrapped(new RuntimeException("the moon is full"))))
                .isEqualTo("the service did not start: the moon is full");
        assertThat(StartFailure.sentence(wrapped(new StackOverflowError())))
                .isEqualTo("the service did not start: java.lang.StackOverflowError");
    }
}
