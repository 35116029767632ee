package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

class DatabaseFailureTest {

    /** Returns an error as the driver reads it from the server. */
    static PSQLException error(String state) {
        return new PSQLException(
                new ServerErrorMessage(
                        "SERROR\0VERROR\0C%s\0Mcould not extend file \"base/5/1\"\0"
                                .formatted(state)));
    }

    @Test
    void fullDiskHasNoRoom() {
        PSQLException full = error("53100");
        assertThat(full.getSQLState()).isEqualTo("53100");

        DatabaseFailure failure =
                DatabaseFailure.of(new UncategorizedSQLException("a change", "insert", full))
                        .orElseThrow();

        assertThat(failure).isEqualTo(DatabaseFailure.DISK_FULL);
        assertThat(failure.code().status()).isEqualTo(507);
        assertThat(failure.retryAfterSeconds()).isPositive();
        assertThat(failure.detail())
                .isEqualTo("The disk of the database is full: free disk space, then try again");
    }

    @ParameterizedTest
    @CsvSource({
        "53100, DISK_FULL",
        "53300, OVERLOADED",
        "53200, OVERLOADED",
        "08001, UNAVAILABLE",
        "08003, UNAVAILABLE",
        "08006, UNAVAILABLE",
        "57P01, UNAVAILABLE",
        "57P03, UNAVAILABLE",
        "40001, CONTENDED",
        "40P01, CONTENDED",
        "55P03, CONTENDED"
    })
    void stateTellsTheFailure(String state, DatabaseFailure failure) {
        assertThat(DatabaseFailure.of(error(state))).hasValue(failure);
        assertThat(
                        DatabaseFailure.of(
                                new CannotCreateTransactionException(
                                        "no transaction",
                                        new DataAccessResourceFailureException(
                                                "no connection", error(state)))))
                .hasValue(failure);
        assertThat(failure.code().status()).isIn(503, 507);
        assertThat(failure.retryAfterSeconds()).isPositive();
    }

    /** The connection pool waits in vain for a connection, and may not know why. */
    @Test
    void timeoutOfTheConnectionPoolIsUnavailable() {
        assertThat(
                        DatabaseFailure.of(
                                new CannotCreateTransactionException(
                                        "no transaction",
                                        new SQLTransientConnectionException("timed out"))))
                .hasValue(DatabaseFailure.UNAVAILABLE);
    }

    /** The connection pool has closed a lost connection before the transaction rolls back. */
    @Test
    void rollbackOfALostConnectionIsUnavailable() {
        assertThat(
                        DatabaseFailure.of(
                                new TransactionSystemException(
                                        "no rollback", new SQLException("Connection is closed"))))
                .hasValue(DatabaseFailure.UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "22021", "42P01", "57014", "XX000"})
    void otherStatesAreNoFailuresOfTheDatabase(String state) {
        assertThat(DatabaseFailure.of(error(state))).isEmpty();
    }

    @Test
    void otherExceptionsAreNoFailuresOfTheDatabase() {
        assertThat(DatabaseFailure.of(new SQLException("no state"))).isEmpty();
        assertThat(DatabaseFailure.of(new OptimisticLockingFailureException("outrun"))).isEmpty();
        assertThat(DatabaseFailure.of(new CannotAcquireLockException("locked"))).isEmpty();
        assertThat(DatabaseFailure.of(new IllegalStateException("other"))).isEmpty();
    }
}
