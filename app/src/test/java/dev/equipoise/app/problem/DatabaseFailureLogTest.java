package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DatabaseFailureLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(DatabaseFailureLog.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final AtomicLong nanos = new AtomicLong();
    private final DatabaseFailureLog failures = new DatabaseFailureLog(nanos::get);

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private List<String> logged() {
        return lines.list.stream()
                .filter(it -> it.getLevel().isGreaterOrEqual(Level.INFO))
                .map(it -> it.getLevel() + " " + it.getFormattedMessage())
                .toList();
    }

    @Test
    void failureIsLoggedOnceWhenItBeginsAndOnceWhenItHasEnded() {
        for (int i = 0; i < 3; i++) {
            failures.add(DatabaseFailure.DISK_FULL, DatabaseFailureTest.error("53100"));
            pass(DatabaseFailureLog.QUIET.minusNanos(1));
            failures.endQuiet();
            assertThat(failures.isOpen(DatabaseFailure.DISK_FULL)).isTrue();
        }
        pass(Duration.ofNanos(1));
        assertThat(failures.isOpen(DatabaseFailure.DISK_FULL)).isFalse();
        failures.endQuiet();
        failures.endQuiet();

        assertThat(logged())
                .containsExactly(
                        "ERROR the disk of the database is full; requests get status 507 until this"
                                + " ends: ERROR: could not extend file \"base/5/1\"",
                        "INFO ended after 3 failed requests and tasks: the disk of the database is"
                                + " full");
    }

    @Test
    void failuresOfDifferentKindsAreLoggedSeparately() {
        failures.add(DatabaseFailure.DISK_FULL, DatabaseFailureTest.error("53100"));
        failures.add(DatabaseFailure.UNAVAILABLE, DatabaseFailureTest.error("08006"));
        failures.add(DatabaseFailure.DISK_FULL, DatabaseFailureTest.error("53100"));

        assertThat(logged()).hasSize(2).allMatch(it -> it.startsWith("ERROR "));
    }

    @Test
    void sameFailureIsLoggedAgainAfterItsEnd() {
        failures.add(DatabaseFailure.UNAVAILABLE, DatabaseFailureTest.error("08006"));
        pass(DatabaseFailureLog.QUIET);
        failures.add(DatabaseFailure.UNAVAILABLE, DatabaseFailureTest.error("08006"));

        assertThat(logged()).hasSize(3);
    }

    @Test
    void contentionIsNotLogged() {
        failures.add(DatabaseFailure.CONTENDED, DatabaseFailureTest.error("40001"));

        assertThat(logged()).isEmpty();
        assertThat(failures.isOpen(DatabaseFailure.CONTENDED)).isFalse();
    }
}
