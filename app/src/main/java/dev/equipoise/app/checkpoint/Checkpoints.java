package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Checkpoints of open runs. A checkpoint has one part of every rank. The file of a part is complete
 * and on the disk before its row is written; a file without a row does not count. The row of the
 * last part is written together with the row of the checkpoint; parts without that row belong to no
 * checkpoint.
 */
@Service
public class Checkpoints {

    private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

    /**
     * Age from which an unfinished file is left over; even the largest part is stored in less time.
     */
    private static final Duration LEFT_OVER_AFTER = Duration.ofHours(1);

    private final CheckpointFiles files;
    private final JdbcClient database;
    private final long largest;
    private final Clock clock;

    Checkpoints(
            CheckpointFiles files, JdbcClient database, CheckpointSettings settings, Clock clock) {
        this.files = files;
        this.largest = settings.largest().toBytes();
        this.database = database;
        this.clock = clock;
    }

    /**
     * Reads the header of a part.
     *
     * @throws Problem {@code invalid-request} if there is none
     */
    public static CheckpointHeader header(InputStream part) throws IOException {
        try {
            return CheckpointHeader.read(part.readNBytes(CheckpointHeader.BYTES));
        } catch (IllegalArgumentException e) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST, "The body is no checkpoint part: " + e.getMessage());
        }
    }

    /** Returns the limit of a part, in bytes. */
    public long largest() {
        return largest;
    }

    /**
     * Writes the file of a part. Call it outside of any transaction, since it may take long.
     *
     * @param rest content after the header
     * @throws Problem {@code invalid-request} if the part is incomplete, {@code no-room} if it
     *     cannot be written
     */
    public void write(CheckpointHeader header, InputStream rest) throws IOException {
        files.write(header, rest);
    }

    /**
     * Records that the file of a part is stored. Callers must hold the lock of the run: of two
     * parts that arrive at the same moment each would otherwise count the other as missing.
     *
     * @return whether the part was the last missing one, which completes the checkpoint
     */
    @Transactional
    public boolean keep(CheckpointHeader part) {
        boolean wasComplete = isKept(part.run(), part.generation(), part.epoch());
        insert(part);
        if (wasComplete || !isComplete(part)) {
            return false;
        }
        insertCheckpoint(part);
        log.info(
                "checkpoint completed: run {} generation {} epoch {}",
                part.run(),
                part.generation(),
                part.epoch());
        return true;
    }

    private void insert(CheckpointHeader part) {
        database.sql(
                        """
                        insert into checkpoint_part (run_id, epoch, generation, rank, bytes)
                        values (:run, :epoch, :generation, :rank, :bytes)
                        on conflict (run_id, epoch, generation, rank) do update
                        set bytes = excluded.bytes
                        """)
                .param("run", part.run().value())
                .param("epoch", part.epoch())
                .param("generation", part.generation())
                .param("rank", part.rank())
                .param("bytes", part.fileBytes())
                .update();
    }

    private boolean isComplete(CheckpointHeader part) {
        return database.sql(
                                """
                                select count(*) from checkpoint_part
                                where run_id = :run and epoch = :epoch and generation = :generation
                                """)
                        .param("run", part.run().value())
                        .param("epoch", part.epoch())
                        .param("generation", part.generation())
                        .query(Integer.class)
                        .single()
                == part.ranks();
    }

    /**
     * Records a complete checkpoint; replaces that of an earlier generation after the same epoch.
     */
    private void insertCheckpoint(CheckpointHeader part) {
        database.sql(
                        """
                        insert into checkpoint (run_id, epoch, generation, ranks, bytes, kept_at)
                        select run_id, epoch, generation, count(*), sum(bytes), :at
                        from checkpoint_part
                        where run_id = :run and epoch = :epoch and generation = :generation
                        group by run_id, epoch, generation
                        on conflict (run_id, epoch) do update
                        set generation = excluded.generation, ranks = excluded.ranks,
                            bytes = excluded.bytes, kept_at = excluded.kept_at
                        """)
                .param("run", part.run().value())
                .param("epoch", part.epoch())
                .param("generation", part.generation())
                .param("at", Timestamp.from(clock.instant()))
                .update();
    }

    /** Whether a generation has completed a checkpoint after an epoch. */
    @Transactional(readOnly = true)
    public boolean isKept(RunId run, int generation, int epoch) {
        return database.sql(
                                """
                                select count(*) from checkpoint
                                where run_id = :run and epoch = :epoch and generation = :generation
                                """)
                        .param("run", run.value())
                        .param("epoch", epoch)
                        .param("generation", generation)
                        .query(Integer.class)
                        .single()
                == 1;
    }

    /**
     * Complete checkpoint.
     *
     * @param epoch epoch after which a run resumes from it
     * @param generation generation that wrote it
     * @param ranks number of parts, one for each rank
     * @param bytes bytes of all parts
     * @param keptAt time at which it was complete
     */
    public record StoredCheckpoint(
            int epoch, int generation, int ranks, long bytes, Instant keptAt) {}

    /** Returns the checkpoints of a run, oldest first. */
    @Transactional(readOnly = true)
    public List<StoredCheckpoint> of(RunId run) {
        return database.sql(
                        """
                        select epoch, generation, ranks, bytes, kept_at from checkpoint
                        where run_id = :run
                        order by epoch
                        """)
                .param("run", run.value())
                .query((row, _) -> stored(row))
                .list();
    }

    private static StoredCheckpoint stored(ResultSet row) throws SQLException {
        return new StoredCheckpoint(
                row.getInt("epoch"),
                row.getInt("generation"),
                row.getInt("ranks"),
                row.getLong("bytes"),
                row.getTimestamp("kept_at").toInstant());
    }

    /** Returns the checkpoint of a run after an epoch. */
    @Transactional(readOnly = true)
    public Optional<StoredCheckpoint> find(RunId run, int epoch) {
        return of(run).stream().filter(it -> it.epoch() == epoch).findFirst();
    }

    /**
     * Opens the part of a rank; empty if it is missing or damaged.
     *
     * @throws IOException if the store does not answer
     */
    public Optional<StoredPart> open(RunId run, StoredCheckpoint stored, int rank)
            throws IOException {
        return files.open(new CheckpointPart(run, stored.epoch(), stored.generation(), rank));
    }

    /**
     * Returns the number of other parts that the same rank of the same generation stored after an
     * epoch.
     */
    @Transactional(readOnly = true)
    public int others(CheckpointHeader part, int epoch) {
        return database.sql(
                        """
                        select count(*) from checkpoint_part
                        where run_id = :run and generation = :generation and rank = :rank
                            and epoch > :epoch and epoch <> :own
                        """)
                .param("run", part.run().value())
                .param("generation", part.generation())
                .param("rank", part.rank())
                .param("epoch", epoch)
                .param("own", part.epoch())
                .query(Integer.class)
                .single();
    }

    /** Deletes the checkpoints of a run before an epoch, except some of the newest. */
    @Transactional
    public void forgetBefore(RunId run, int epoch, int newest) {
        database.sql(
                        """
                        delete from checkpoint
                        where run_id = :run and epoch < :epoch and epoch not in
                            (select epoch from checkpoint where run_id = :run
                             order by epoch desc limit :newest)
                        """)
                .param("run", run.value())
                .param("epoch", epoch)
                .param("newest", newest)
                .update();
    }

    /**
     * Deletes a checkpoint of a run.
     *
     * @return false if it no longer exists
     */
    @Transactional
    public boolean forget(RunId run, StoredCheckpoint stored) {
        return database.sql(
                                """
                                delete from checkpoint
                                where run_id = :run and epoch = :epoch and generation = :generation
                                """)
                        .param("run", run.value())
                        .param("epoch", stored.epoch())
                        .param("generation", stored.generation())
                        .update()
                == 1;
    }

    /** Deletes the checkpoints of a run before an epoch. */
    @Transactional
    public void forgetBefore(RunId run, int epoch) {
        forgetBefore(run, epoch, 0);
    }

    /** Deletes the checkpoints of a run after an epoch. */
    @Transactional
    public void forgetAfter(RunId run, int epoch) {
        database.sql("delete from checkpoint where run_id = :run and epoch > :epoch")
                .param("run", run.value())
                .param("epoch", epoch)
                .update();
    }

    /**
     * Deletes the rows of parts that belong to no checkpoint of a run and cannot complete one any
     * more. Call {@link #sweep} once that is committed.
     *
     * @param generation generation whose parts up to the epoch are deleted, with all parts of
     *     earlier ones
     * @return number of deleted parts
     */
    @Transactional
    public int forgetParts(RunId run, int generation, int epoch) {
        return database.sql(
                        """
                        delete from checkpoint_part as part
                        where part.run_id = :run
                            and (part.generation < :generation
                                 or part.generation = :generation and part.epoch <= :epoch)
                            and not exists
                                (select 1 from checkpoint as kept
                                 where kept.run_id = part.run_id and kept.epoch = part.epoch
                                     and kept.generation = part.generation)
                        """)
                .param("run", run.value())
                .param("generation", generation)
                .param("epoch", epoch)
                .update();
    }

    /**
     * Removes the files that a crashed service has left over: unfinished uploads and files of ended
     * or deleted runs. Keeps files that are young enough for another instance to be writing them.
     *
     * @param notOver runs that have not ended
     */
    public void sweepLeftOver(Supplier<Set<RunId>> notOver) {
        int removed = files.removeLeftOver(notOver, clock.instant().minus(LEFT_OVER_AFTER));
        if (removed > 0) {
            log.info("removed {} left-over checkpoint files", removed);
        }
    }

    /** Removes the file of a part that arrived too late, unless the part was recorded before. */
    public void discard(CheckpointHeader part) {
        if (!isRecorded(part)) {
            var _ = files.remove(CheckpointPart.of(part));
        }
    }

    private boolean isRecorded(CheckpointHeader part) {
        return database.sql(
                                """
                                select count(*) from checkpoint_part
                                where run_id = :run and epoch = :epoch and generation = :generation
                                    and rank = :rank
                                """)
                        .param("run", part.run().value())
                        .param("epoch", part.epoch())
                        .param("generation", part.generation())
                        .param("rank", part.rank())
                        .query(Integer.class)
                        .single()
                == 1;
    }

    /**
     * Removes the files of parts that {@link #forgetParts} deletes; a file that cannot be removed
     * stays.
     */
    public void sweep(RunId run, int generation, int epoch) {
        Set<Map.Entry<Integer, Integer>> kept =
                of(run).stream()
                        .map(it -> Map.entry(it.epoch(), it.generation()))
                        .collect(Collectors.toSet());
        files.remove(
                run,
                part ->
                        part.isUpTo(generation, epoch)
                                && !kept.contains(Map.entry(part.epoch(), part.generation())));
    }
}
