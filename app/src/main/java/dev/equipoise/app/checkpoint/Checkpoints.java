package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
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
 * The checkpoints of runs that are not over, each with a part of every rank. First the file of a
 * part is whole and on the disk, then a row says so; a file without a row is none. With the row of
 * its last part comes that of the checkpoint, and a part without that is of none.
 */
@Service
public class Checkpoints {

    private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

    /** The largest part is written, and handed to a bucket, in less. */
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
     * What a part says of itself.
     *
     * @throws Problem {@code invalid-request} where it is none
     */
    public static CheckpointHeader header(InputStream part) throws IOException {
        try {
            return CheckpointHeader.read(part.readNBytes(CheckpointHeader.BYTES));
        } catch (IllegalArgumentException e) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST, "The body is no checkpoint: " + e.getMessage());
        }
    }

    /** The bytes of the largest part that is taken. */
    public long largest() {
        return largest;
    }

    /**
     * Writes the file of a part, outside of any transaction, as that may take long.
     *
     * @param rest what comes behind the header
     * @throws Problem {@code invalid-request} where it is not whole, {@code no-room} where it
     *     cannot be written
     */
    public void write(CheckpointHeader header, InputStream rest) throws IOException {
        files.write(header, rest);
    }

    /**
     * Says that the file of a part is there. Whoever calls holds the run, as of parts that came at
     * the same moment each would else take the other for missing.
     *
     * @return whether it was the last that was missing, and the checkpoint is kept from now on
     */
    @Transactional
    public boolean keep(CheckpointHeader part) {
        boolean wasKept = isKept(part.run(), part.generation(), part.epoch());
        insert(part);
        if (wasKept || !isWhole(part)) {
            return false;
        }
        insertWhole(part);
        log.info(
                "checkpoint kept: run {} generation {} epoch {}",
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

    private boolean isWhole(CheckpointHeader part) {
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

    /** In the place of one that an earlier generation has left after the same epoch. */
    private void insertWhole(CheckpointHeader part) {
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
     * @param ranks that have left it, each a part
     * @param bytes of all parts
     */
    public record Kept(int epoch, int generation, int ranks, long bytes, Instant keptAt) {}

    /** Those of a run, oldest first. */
    @Transactional(readOnly = true)
    public List<Kept> of(RunId run) {
        return database.sql(
                        """
                        select epoch, generation, ranks, bytes, kept_at from checkpoint
                        where run_id = :run
                        order by epoch
                        """)
                .param("run", run.value())
                .query((row, _) ->
                        new Kept(
                                row.getInt("epoch"),
                                row.getInt("generation"),
                                row.getInt("ranks"),
                                row.getLong("bytes"),
                                row.getTimestamp("kept_at").toInstant()))
                .list();
    }

    /** That of a run after an epoch. */
    @Transactional(readOnly = true)
    public Optional<Kept> find(RunId run, int epoch) {
        return of(run).stream().filter(it -> it.epoch() == epoch).findFirst();
    }

    /**
     * What a rank has left of a run's checkpoint; empty where that is gone, or is damaged.
     *
     * @throws IOException where it cannot be said, as what should have it does not answer
     */
    public Optional<StoredPart> open(RunId run, Kept kept, int rank) throws IOException {
        return files.open(new CheckpointPart(run, kept.epoch(), kept.generation(), rank));
    }

    /** How many other parts the same rank of the same generation has left after an epoch. */
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

    /** Forgets those of a run before an epoch, but for some that are the newest. */
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
     * Forgets one of a run.
     *
     * @return false where it is none any more
     */
    @Transactional
    public boolean forget(RunId run, Kept kept) {
        return database.sql(
                                """
                                delete from checkpoint
                                where run_id = :run and epoch = :epoch and generation = :generation
                                """)
                        .param("run", run.value())
                        .param("epoch", kept.epoch())
                        .param("generation", kept.generation())
                        .update()
                == 1;
    }

    /** Forgets those of a run before an epoch. */
    @Transactional
    public void forgetBefore(RunId run, int epoch) {
        forgetBefore(run, epoch, 0);
    }

    /** Forgets those of a run after an epoch. */
    @Transactional
    public void forgetAfter(RunId run, int epoch) {
        database.sql("delete from checkpoint where run_id = :run and epoch > :epoch")
                .param("run", run.value())
                .param("epoch", epoch)
                .update();
    }

    /**
     * Forgets what belongs to no checkpoint of a run that is kept, and to none that may still
     * become whole; once that is certain, {@link #sweep} follows.
     *
     * @param generation of which those up to the epoch do not, nor any of an earlier one
     * @return how many
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
     * Removes what a service that died has left: what was being written, and files of runs that are
     * over or gone. Nothing that is as young as what another instance may be writing.
     *
     * @param notOver the runs that are there and not over
     */
    public void sweepLeftOver(Supplier<Set<RunId>> notOver) {
        int removed = files.removeLeftOver(notOver, clock.instant().minus(LEFT_OVER_AFTER));
        if (removed > 0) {
            log.info("{} files that checkpoints had left are removed", removed);
        }
    }

    /** Removes the file of a part that came too late; one that was kept before stays. */
    public void discard(CheckpointHeader part) {
        if (!isThere(part)) {
            var _ = files.remove(CheckpointPart.of(part));
        }
    }

    private boolean isThere(CheckpointHeader part) {
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

    /** Removes the files of what {@link #forgetParts} forgets; one that cannot be stays. */
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
