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

    private final ServiceFailed away =
            ServiceFailed.of(new Verdict.Temporary("the proxy said 404"), null);
    private final ServiceFailed stale =
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
        outage.failed("lease", away);
        outage.failed("lease", away);
        outage.failed("report", away);
        outage.answered("heartbeat");
        outage.answered("lease");
        outage.answered("lease");
        outage.failed("lease", away);

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
        outage.failed("report", stale);
        outage.failed("report", away);
        outage.failed("report", stale);

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "report failed: the proxy said 404; trying again",
                        "report succeeded: the service answers again");
    }
}
