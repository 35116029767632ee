package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;

@RunningService
class RunLogContextIT {

    private static final Logger SERVICE = (Logger) LoggerFactory.getLogger("dev.equipoise.app");

    private final TestingLab lab;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private @Nullable Level level;

    RunLogContextIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    /** An earlier test may have silenced the log of the service. */
    @BeforeEach
    void listen() {
        level = SERVICE.getLevel();
        SERVICE.setLevel(Level.INFO);
        lines.start();
        SERVICE.addAppender(lines);
    }

    @AfterEach
    void clear() {
        SERVICE.detachAppender(lines);
        SERVICE.setLevel(level);
        lab.clear();
    }

    /** Returns a copy, since the service continues to write meanwhile. */
    private List<ILoggingEvent> lines() {
        synchronized (lines) {
            return List.copyOf(lines.list);
        }
    }

    @Test
    void logLinesOfARunHaveItsIdAndGeneration() {
        TestingHistory history = TestingHistory.in(lab);
        lab.join("newcomer");

        String run = history.runs().getFirst();
        for (String prefix : List.of("run placed: ", "run started: ", "run completed: ")) {
            assertThat(lines())
                    .filteredOn(it -> it.getFormattedMessage().startsWith(prefix + run))
                    .as(prefix)
                    .singleElement()
                    .satisfies(it ->
                            assertThat(it.getMDCPropertyMap())
                                    .containsEntry("run", run)
                                    .containsEntry("generation", "1"));
        }
        assertThat(lines())
                .filteredOn(it -> it.getFormattedMessage().startsWith("worker "))
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it.getMDCPropertyMap()).isEmpty());
    }
}
