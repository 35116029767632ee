package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.equipoise.protocol.ProblemCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OutageTest {

    private static final ServiceFailed AWAY =
            ServiceFailed.of(new Verdict.Temporary("the proxy said 404"), null);
    private static final ServiceFailed STALE =
            ServiceFailed.of(new Verdict.Rejected(ProblemCode.STALE_GENERATION, "over"), null);

    private final Logger logger = (Logger) LoggerFactory.getLogger(Outage.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Outage outage = new Outage();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void isLoggedOnceForEachKindOfCallWithItsEnd() {
        outage.failed("lease", AWAY);
        outage.failed("lease", AWAY);
        outage.failed("report", AWAY);
        outage.answered("heartbeat");
        outage.answered("lease");
        outage.answered("lease");
        outage.failed("lease", AWAY);

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "lease failed: the proxy said 404; trying again",
                        "report failed: the proxy said 404; trying again",
                        "lease succeeded: the service answers again",
                        "lease failed: the proxy said 404; trying again");
    }

    @Test
    void rejectionOfTheServiceEndsAnOutage() {
        outage.failed("report", STALE);
        outage.failed("report", AWAY);
        outage.failed("report", STALE);

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "report failed: the proxy said 404; trying again",
                        "report succeeded: the service answers again");
    }
}
