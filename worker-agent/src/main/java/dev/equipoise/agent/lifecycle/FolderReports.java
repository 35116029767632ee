package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.DataFolders;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
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
            found = first(folders.get());
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
    static List<String> first(List<String> all) {
        if (all.size() <= DataFolders.MAX) {
            return all;
        }
        log.warn(
                "this host has {} data folders; runs can use the first {} by name alone",
                all.size(),
                DataFolders.MAX);
        return all.subList(0, DataFolders.MAX);
    }
}
