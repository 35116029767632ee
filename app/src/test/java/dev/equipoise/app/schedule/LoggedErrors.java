package dev.equipoise.app.schedule;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import dev.equipoise.app.SimulatedDatabase;
import dev.equipoise.app.computing.AwaitedThreads;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Collects the errors that a simulated service logs, until it is closed. The service runs in the
 * thread that created this object and in its awaited threads; other services use other threads. A
 * service logs a lost database, which is no error of its own.
 */
final class LoggedErrors extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final String thread = Thread.currentThread().getName();
    private final AwaitedThreads awaited;
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    LoggedErrors(AwaitedThreads awaited) {
        this.awaited = awaited;
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        boolean isSimulated =
                event.getThreadName().equals(thread) || awaited.isNameOfOne(event.getThreadName());
        if (isSimulated && event.getLevel().isGreaterOrEqual(Level.ERROR) && !isAboutLoss(event)) {
            var thrown = event.getThrowableProxy();
            messages.add(
                    "%s: %s%s"
                            .formatted(
                                    event.getLoggerName(),
                                    event.getFormattedMessage(),
                                    thrown == null
                                            ? ""
                                            : " (%s: %s)"
                                                    .formatted(
                                                            thrown.getClassName(),
                                                            thrown.getMessage())));
        }
    }

    private static boolean isAboutLoss(ILoggingEvent event) {
        return SimulatedDatabase.isLoss(event.getFormattedMessage())
                || isCausedByLoss(event.getThrowableProxy());
    }

    private static boolean isCausedByLoss(@Nullable IThrowableProxy thrown) {
        for (IThrowableProxy cause = thrown; cause != null; cause = cause.getCause()) {
            if (SimulatedDatabase.isLoss(cause.getMessage())) {
                return true;
            }
        }
        return false;
    }

    List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void close() {
        root.detachAppender(this);
        stop();
    }
}
