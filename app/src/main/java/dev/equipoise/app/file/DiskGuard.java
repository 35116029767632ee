package dev.equipoise.app.file;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Refuses new work while the disk of the data folder is nearly full, so that active runs can store
 * what they report. It takes new work again as soon as the disk has space.
 */
@Component
public class DiskGuard {

    private static final Logger log = LoggerFactory.getLogger(DiskGuard.class);

    /** Time after which a client may try again. */
    private static final long RETRY_SECONDS = 30;

    private final DataDisk disk;
    private final DiskSettings settings;

    /** Whether the last request was refused: only changes are logged. */
    private final AtomicBoolean refuses = new AtomicBoolean();

    DiskGuard(DataDisk disk, DiskSettings settings) {
        this.disk = disk;
        this.settings = settings;
    }

    /**
     * Requires space for new work.
     *
     * @throws Problem {@code no-room} if less than {@code equipoise.disk.kept-free} is free
     */
    public void requireRoom() {
        DiskSpace space = disk.space();
        boolean lacks = space.isBelow(settings.keptFree());
        if (refuses.getAndSet(lacks) != lacks) {
            logChange(lacks, space);
        }
        if (lacks) {
            throw Problem.of(
                            ErrorCode.NO_ROOM,
                            ("The disk of the service has %d MiB left, and %d MiB must stay free"
                                            + " for active runs: free disk space, and try again")
                                    .formatted(mebibytes(space), settings.keptFree().toMegabytes()))
                    .retryAfter(RETRY_SECONDS);
        }
    }

    private void logChange(boolean lacks, DiskSpace space) {
        if (lacks) {
            log.warn(
                    "the disk has {} MiB left: new runs are refused below {} MiB"
                            + " (equipoise.disk.kept-free), and active ones continue",
                    mebibytes(space),
                    settings.keptFree().toMegabytes());
        } else {
            log.info("the disk has {} MiB left: new runs are taken again", mebibytes(space));
        }
    }

    private static long mebibytes(DiskSpace space) {
        return space.freeBytes() >> 20;
    }
}
