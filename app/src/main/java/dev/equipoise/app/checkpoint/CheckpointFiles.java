package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The files of the parts, from when they come in to when they are old. */
@Component
class CheckpointFiles {

    private static final Logger log = LoggerFactory.getLogger(CheckpointFiles.class);

    private final Arrivals arrivals;
    private final CheckpointStore store;

    CheckpointFiles(Arrivals arrivals, CheckpointStore store) {
        this.arrivals = arrivals;
        this.store = store;
    }

    /**
     * Writes one, of which the header was read already.
     *
     * @param rest of the file
     * @throws Problem {@code invalid-request} where it is not whole, {@code no-room} where it
     *     cannot be written
     */
    void write(CheckpointHeader header, InputStream rest) throws IOException {
        arrivals.take(header, rest);
    }

    /**
     * One that is there; empty where it is not, or is damaged. It is read to its end before it is
     * handed out, as a rank that has taken in a part of it cannot go back.
     */
    Optional<StoredPart> open(CheckpointPart part) throws IOException {
        return isWhole(part) ? store.open(part) : Optional.empty();
    }

    private boolean isWhole(CheckpointPart part) throws IOException {
        Optional<StoredPart> found = store.open(part);
        if (found.isEmpty()) {
            return false;
        }
        try (InputStream content = found.get().content()) {
            boolean isWhole = Digests.endsWithOwn(content, found.get().bytes());
            if (!isWhole) {
                log.error("{} is damaged: its bytes are not those that were written", part.name());
            }
            return isWhole;
        }
    }

    /** Removes those parts of a run that are old; one that cannot be stays. */
    void remove(RunId run, Predicate<CheckpointPart> old) {
        try {
            store.of(run).stream().filter(old).forEach(this::remove);
        } catch (IOException failure) {
            log.warn("old checkpoints of run {} stay: {}", run, failure.toString());
        }
    }

    /** False where it stays. */
    boolean remove(CheckpointPart part) {
        try {
            store.remove(part);
            return true;
        } catch (IOException failure) {
            log.warn("{} stays: {}", part.name(), failure.toString());
            return false;
        }
    }

    /**
     * Removes what was being written, what is of runs that are over, and what an earlier version
     * has left.
     *
     * @param notOver the runs that are not
     * @param before what was touched later is left alone
     * @return how many
     */
    int removeLeftOver(Supplier<Set<RunId>> notOver, Instant before) {
        try {
            return arrivals.removeLeftOver(before) + removeOver(notOver, before);
        } catch (IOException failure) {
            log.warn("what checkpoints have left stays: {}", failure.toString());
            return 0;
        }
    }

    /** Who is not over is asked after: the run of a file that is old was there before. */
    private int removeOver(Supplier<Set<RunId>> notOver, Instant before) throws IOException {
        List<CheckpointPart> old = store.writtenBefore(before);
        if (old.isEmpty()) {
            return 0;
        }
        Set<RunId> spared = notOver.get();
        return Math.toIntExact(
                old.stream().filter(it -> !spared.contains(it.run())).filter(this::remove).count());
    }
}
