package dev.equipoise.app.database;

import dev.equipoise.app.problem.ExceptionText;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the embedded server again after it has ended unexpectedly. It looks once a second, which
 * is also the pause between two attempts: the sessions of the dead server need a moment to end.
 */
final class ServerWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ServerWatch.class);
    private static final long PERIOD_SECONDS = 1;

    /** A server that lives for this number of looks has recovered: earlier ends do not count. */
    static final int LOOKS_TO_RECOVER = 60;

    private final Server server;
    private final int maxAttempts;
    private final Consumer<String> onFailure;
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread thread;

    /** Attempts since the server last ran for long. */
    private int attempts;

    private int looksAlive;
    private String reason = "no attempt is allowed";

    /**
     * @param maxAttempts to start the server again, in a row, at least 0
     * @param onFailure receives the reason in words if all attempts have failed; the watch has then
     *     ended
     */
    ServerWatch(Server server, int maxAttempts, Consumer<String> onFailure) {
        this.server = server;
        this.maxAttempts = maxAttempts;
        this.onFailure = onFailure;
    }

    /** The watched server. */
    interface Server {

        boolean isAlive();

        /**
         * Starts the ended server again and waits until it accepts connections.
         *
         * @throws IOException with the reason if it does not
         */
        void restart() throws IOException;

        /** Returns the name of the server in messages, with the place of its log. */
        String description();
    }

    /** Begins to watch in a thread of its own. */
    void begin() {
        thread = Thread.startVirtualThread(this::run);
    }

    private void run() {
        try {
            boolean isWatching = true;
            while (isWatching && !closing.await(PERIOD_SECONDS, TimeUnit.SECONDS)) {
                isWatching = look();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks once, and makes one attempt if the server has ended; false after the last one. */
    boolean look() {
        if (server.isAlive()) {
            looksAlive++;
            if (looksAlive >= LOOKS_TO_RECOVER) {
                attempts = 0;
            }
            return true;
        }
        looksAlive = 0;
        if (attempts >= maxAttempts) {
            onFailure.accept(
                    "%s ended, and %d attempts to start it again failed: %s"
                            .formatted(server.description(), attempts, reason));
            return false;
        }
        attempt();
        return true;
    }

    /** Makes an attempt. The log has the end of the server once and its return. */
    private void attempt() {
        attempts++;
        if (attempts == 1) {
            log.error("{} ended unexpectedly and is started again", server.description());
        }
        try {
            server.restart();
            reason = "it started, but ended again";
            log.warn("{} runs again after {} attempts", server.description(), attempts);
        } catch (IOException failure) {
            reason = ExceptionText.of(failure);
            log.debug("attempt {} to start PostgreSQL failed: {}", attempts, reason);
        }
    }

    /** Makes no further attempt. One that has begun continues. */
    void stop() {
        closing.countDown();
    }

    /** Stops the watch and waits for an attempt that has begun. */
    @Override
    public void close() {
        stop();
        Thread begun = thread;
        if (begun == null) {
            return;
        }
        try {
            begun.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
