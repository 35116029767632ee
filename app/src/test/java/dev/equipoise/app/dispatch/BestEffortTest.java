package dev.equipoise.app.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.OptimisticLockingFailureException;

class BestEffortTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(BestEffort.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    private static boolean failed(RuntimeException failure) {
        return !BestEffort.call(() -> {
            throw failure;
        });
    }

    @Test
    void resultOfAStepIsReturned() {
        assertThat(BestEffort.call(() -> true)).isTrue();
        assertThat(BestEffort.call(() -> false)).isFalse();
    }

    /** A lost database would otherwise be an error several times a second. */
    @Test
    void failureOfTheDatabaseIsLeftToItsOwnLog() {
        PSQLException lost = new PSQLException("connection lost", PSQLState.CONNECTION_FAILURE);
        for (int i = 0; i < 3; i++) {
            assertThat(failed(new DataAccessResourceFailureException("no", lost))).isTrue();
        }

        assertThat(lines.list).isEmpty();
    }

    @Test
    void concurrentChangeIsNoError() {
        assertThat(failed(new OptimisticLockingFailureException("outrun"))).isTrue();

        assertThat(lines.list).noneMatch(it -> it.getThrowableProxy() != null);
    }

    @Test
    void otherFailureIsLogged() {
        assertThat(failed(new IllegalStateException("a defect"))).isTrue();

        assertThat(lines.list)
                .singleElement()
                .satisfies(it ->
                        assertThat(it.getThrowableProxy().getMessage()).isEqualTo("a defect"));
    }
}
