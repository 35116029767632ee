package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.DataFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Data folders of this host that the service does not know yet. They are read every 10 s, on
 * another thread, as a file system may hang. Only the heartbeat thread calls this.
 */
final class FolderReports {

    private static final Logger log = LoggerFactory.getLogger(FolderReports.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    /** Longest wait for the folders before an agent joins; a later heartbeat reports them. */
    static final Duration START_TIMEOUT = Duration.ofSeconds(5);

    private final Supplier<List<String>> folders;
    private final Executor threads;
    private final Time time;
    private @Nullable List<String> confirmed;
    private boolean isBegun;
    private long begunAt;
    private volatile boolean isReading;
    private volatile @Nullable List<String> found;

    /**
     * @param folders reads the names of the folders
     * @param threads reads on a thread of its own
     */
    FolderReports(Supplier<List<String>> folders, Executor threads, Time time) {
        this.folders = folders;
        this.threads = threads;
        this.time = time;
    }

    /**
     * Reads the folders for the registration of this agent, which a file system that hangs, such as
     * NFS without its server, must not keep from joining.
     *
     * @param threads reads on a thread of its own
     * @param places where the folders are, for the log
     * @return no folders if they are not read in time
     */
    static List<String> atStart(
            Supplier<List<String>> folders,
            ExecutorService threads,
            Duration timeout,
            List<Path> places)
            throws InterruptedException {
        Future<List<String>> reading = threads.submit(folders::get);
        try {
            return first(reading.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            log.warn(
                    "the data folders in {} were not read within {} s; this agent joins without"
                            + " them, and reports them as soon as their file system answers",
                    places,
                    timeout.toSeconds());
            return List.of();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the data folders could not be read", e.getCause());
        }
    }

    /** Returns the folders that the next heartbeat must report; null if the service has them. */
    @Nullable List<String> due() {
        readIfDue();
        List<String> newest = found;
        return newest == null || newest.equals(confirmed) ? null : newest;
    }

    private void readIfDue() {
        long now = time.nanoTime();
        if (isReading || (isBegun && now - begunAt < INTERVAL.toNanos())) {
            return;
        }
        isBegun = true;
        begunAt = now;
        isReading = true;
        threads.execute(this::read);
    }

    private void read() {
        try {
            List<String> all = folders.get();
            List<String> newest = first(all);
            if (newest.size() < all.size() && !newest.equals(found)) {
                log.warn(
                        "this host has {} data folders; runs can use the first {} by name alone",
                        all.size(),
                        DataFolders.MAX);
            }
            found = newest;
        } finally {
            isReading = false;
        }
    }

    /**
     * Marks folders as known to the service.
     *
     * @param reported by a heartbeat that the service has answered; null if it had none
     */
    void confirm(@Nullable List<String> reported) {
        if (reported == null) {
            return;
        }
        if (!reported.equals(confirmed)) {
            log.info("data folders reported: {}", reported);
        }
        confirmed = reported;
    }

    /** Returns the folders that the service can store: the first by name. */
    private static List<String> first(List<String> all) {
        return all.subList(0, Math.min(all.size(), DataFolders.MAX));
    }
}
