package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The checkpoints of runs that are not over. First the file is whole and on the disk, then a row
 * says so; a file without a row is none.
 */
@Service
public class Checkpoints {

    private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

    /** A gigabyte is written in less. */
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
     * What a checkpoint says of itself.
     *
     * @throws Problem {@code invalid-request} where it is none
     */
    public static CheckpointHeader header(InputStream checkpoint) throws IOException {
        try {
            return CheckpointHeader.read(checkpoint.readNBytes(CheckpointHeader.BYTES));
        } catch (IllegalArgumentException e) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST, "The body is no checkpoint: " + e.getMessage());
        }
    }

    /** The bytes of the largest that is taken. */
    public long largest() {
        return largest;
    }

    /**
     * Writes the file, outside of any transaction, as that may take long.
     *
     * @param rest what comes behind the header
     * @throws Problem {@code invalid-request} where it is not whole, {@code no-room} where it
     *     cannot be written
     */
    public void write(CheckpointHeader header, InputStream rest) throws IOException {
        files.write(header, rest);
    }

    /** Says that the file is there. */
    @Transactional
    public void keep(CheckpointHeader header) {
        database.sql(
                        """
                        insert into checkpoint (run_id, epoch, generation, bytes, kept_at)
                        values (:run, :epoch, :generation, :bytes, :at)
                        on conflict (run_id, epoch) do update
                        set generation = excluded.generation, bytes = excluded.bytes,
                            kept_at = excluded.kept_at
                        """)
                .param("run", header.run().value())
                .param("epoch", header.epoch())
                .param("generation", header.generation())
                .param("bytes", header.fileBytes())
                .param("at", Timestamp.from(clock.instant()))
                .update();
        log.info(
                "checkpoint kept: run {} generation {} epoch {}, {} bytes",
                header.run(),
                header.generation(),
                header.epoch(),
                header.fileBytes());
    }

    /** Whether a generation has left one after an epoch. */
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
     * One that is there.
     *
     * @param epoch after which it goes on
     * @param bytes of its file
     */
    public record Kept(int epoch, int generation, long bytes, Instant keptAt) {}

    /** Those of a run, oldest first. */
    @Transactional(readOnly = true)
    public List<Kept> of(RunId run) {
        return database.sql(
                        """
                        select epoch, generation, bytes, kept_at from checkpoint
                        where run_id = :run
                        order by epoch
                        """)
                .param("run", run.value())
                .query((row, _) ->
                        new Kept(
                                row.getInt("epoch"),
                                row.getInt("generation"),
                                row.getLong("bytes"),
                                row.getTimestamp("kept_at").toInstant()))
                .list();
    }

    /** Where one is. */
    @Transactional(readOnly = true)
    public Optional<Path> find(RunId run, int epoch) {
        return database.sql("select epoch from checkpoint where run_id = :run and epoch = :epoch")
                .param("run", run.value())
                .param("epoch", epoch)
                .query(Integer.class)
                .optional()
                .map(it -> files.file(run, it));
    }

    /**
     * Forgets those of a run but the newest; once that is certain, {@link #sweep(RunId)} follows.
     */
    @Transactional
    public void forgetAllBut(RunId run, int newest) {
        database.sql(
                        """
                        delete from checkpoint
                        where run_id = :run and epoch not in
                            (select epoch from checkpoint where run_id = :run
                             order by epoch desc limit :newest)
                        """)
                .param("run", run.value())
                .param("newest", newest)
                .update();
    }

    /** Forgets those of a run before an epoch; once that is certain, {@link #sweep} follows. */
    @Transactional
    public void forgetBefore(RunId run, int epoch) {
        database.sql("delete from checkpoint where run_id = :run and epoch < :epoch")
                .param("run", run.value())
                .param("epoch", epoch)
                .update();
    }

    /**
     * Removes what a service that died has left: what was being written, and files of runs that are
     * over or gone. Nothing that is as young as what another instance may be writing.
     *
     * @param notOver which of some runs are there and not over
     */
    public void sweepLeftOver(Function<Set<RunId>, Set<RunId>> notOver) {
        int removed = files.removeLeftOver(notOver, clock.instant().minus(LEFT_OVER_AFTER));
        if (removed > 0) {
            log.info("{} files that checkpoints had left are removed", removed);
        }
    }

    /**
     * Removes the files of a run that are older than all that are kept; one that cannot be stays.
     */
    public void sweep(RunId run) {
        of(run).stream()
                .mapToInt(Kept::epoch)
                .min()
                .ifPresent(oldest -> files.remove(run, epoch -> epoch < oldest));
    }

    /**
     * Removes the files of a run but the one after an epoch; a file that cannot be removed stays.
     *
     * @param epoch 0 where none is needed any more
     */
    public void sweep(RunId run, int epoch) {
        files.remove(run, it -> it != epoch);
    }
}
