package dev.equipoise.app.problem;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import org.springframework.util.StringUtils;

/**
 * Failures of the database that no request causes, and the responses to requests that meet them. A
 * change whose response is such a failure may have happened: the connection may have been lost
 * after the commit.
 */
public enum DatabaseFailure {
    /** No connection was free or could be made in time, or a connection was lost. */
    UNAVAILABLE(ErrorCode.BUSY, "the database does not answer", "try again later"),

    /** The database can read but not write. */
    DISK_FULL(
            ErrorCode.NO_ROOM,
            "the disk of the database is full",
            "free disk space, then try again"),

    /** The database has reached another of its limits, such as that of its connections. */
    OVERLOADED(ErrorCode.BUSY, "the database has reached a limit", "try again later"),

    /** A serialization failure, a deadlock or a lock that another transaction holds. */
    CONTENDED(
            ErrorCode.BUSY,
            "concurrent transactions kept the database from executing the request",
            "try again");

    // SQLSTATE codes and classes of the SQL standard and PostgreSQL.
    private static final String DISK_FULL_STATE = "53100";
    private static final String INSUFFICIENT_RESOURCES = "53";
    private static final String CONNECTION_LOST = "08";
    private static final String SHUT_DOWN = "57P";

    /**
     * The message of the connection pool, without a code, for the use of a connection that it has
     * found lost, such as the rollback after the first failure.
     */
    private static final String CLOSED = "Connection is closed";

    /** Serialization failure, deadlock, lock not available. */
    private static final Set<String> CONTENTION = Set.of("40001", "40P01", "55P03");

    private final ErrorCode code;
    private final String symptom;
    private final String advice;

    DatabaseFailure(ErrorCode code, String symptom, String advice) {
        this.code = code;
        this.symptom = symptom;
        this.advice = advice;
    }

    /** Returns the failure that the exception or one of its causes tells, if there is one. */
    public static Optional<DatabaseFailure> of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            Optional<DatabaseFailure> known =
                    cause instanceof SQLException error ? ofError(error) : Optional.empty();
            if (known.isPresent()) {
                return known;
            }
        }
        return Optional.empty();
    }

    private static Optional<DatabaseFailure> ofError(SQLException error) {
        String state = String.valueOf(error.getSQLState());
        if (state.equals(DISK_FULL_STATE)) {
            return Optional.of(DISK_FULL);
        }
        if (state.startsWith(INSUFFICIENT_RESOURCES)) {
            return Optional.of(OVERLOADED);
        }
        if (CONTENTION.contains(state)) {
            return Optional.of(CONTENDED);
        }
        // The connection pool reports some timeouts without a state.
        return state.startsWith(CONNECTION_LOST)
                        || state.startsWith(SHUT_DOWN)
                        || error instanceof SQLTransientConnectionException
                        || error instanceof SQLNonTransientConnectionException
                        || CLOSED.equals(error.getMessage())
                ? Optional.of(UNAVAILABLE)
                : Optional.empty();
    }

    ErrorCode code() {
        return code;
    }

    /** Returns the seconds after which a retry may succeed. */
    int retryAfterSeconds() {
        return this == CONTENDED ? 1 : code.retryAfterSeconds();
    }

    /** Returns what is wrong, for a sentence in the log. */
    String symptom() {
        return symptom;
    }

    /** Returns what is wrong and what to do, for a response. */
    String detail() {
        return "%s: %s".formatted(StringUtils.capitalize(symptom), advice);
    }

    /** Tells whether an operator should know; contention is part of ordinary operation. */
    boolean isFault() {
        return this != CONTENDED;
    }
}
