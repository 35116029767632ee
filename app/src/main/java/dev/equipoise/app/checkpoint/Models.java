package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.RunId;
import java.io.IOException;
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
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Trained models of runs, at most one of each. The file of a model is complete and on the disk
 * before its row is written; a file without a row does not count.
 */
@Service
public class Models {

    private static final Logger log = LoggerFactory.getLogger(Models.class);

    /** Age from which a file without a row is left over; the row follows the file at once. */
    private static final Duration LEFT_OVER_AFTER = Duration.ofHours(1);

    private final ModelUploads uploads;
    private final CheckpointStore store;
    private final JdbcClient database;
    private final ModelSettings settings;
    private final Clock clock;

    Models(
            ModelUploads uploads,
            CheckpointStore store,
            JdbcClient database,
            ModelSettings settings,
            Clock clock) {
        this.uploads = uploads;
        this.store = store;
        this.database = database;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Model of a run.
     *
     * @param generation generation that stored it
     * @param rank rank that stored it
     * @param upload distinguishes its file from those of other uploads
     * @param bytes size of its file
     * @param digest SHA-256 digest of its file, 64 hexadecimal digits
     * @param removedAt when a user removed its file; else null
     */
    public record StoredModel(
            ModelScore score,
            int generation,
            int rank,
            UUID upload,
            long bytes,
            String digest,
            Instant keptAt,
            @Nullable Instant removedAt) {

        public boolean isRemoved() {
            return removedAt != null;
        }

        private ModelFile file(RunId run) {
            return new ModelFile(run, score.epoch(), generation, rank, upload);
        }
    }

    /** Returns the limit of a file, in bytes. */
    public long largest() {
        return settings.largest().toBytes();
    }

    /**
     * Writes the file of a model. Call it outside of any transaction, since it may take long.
     *
     * @param metadata replaces metadata of the same name
     * @throws Problem {@code invalid-request} if the file is incomplete, {@code no-room} if it
     *     cannot be written, {@code busy} if the rank is sending another one
     */
    public ModelUpload.WrittenModel write(
            Origin origin, int epoch, ModelUpload upload, Map<String, String> metadata)
            throws IOException {
        return uploads.receive(origin, epoch, upload, metadata);
    }

    /** Rank of a generation that has a model. */
    public record Origin(RunId run, int generation, int rank) {

        ModelFile file(int epoch, UUID upload) {
            return new ModelFile(run, epoch, generation, rank, upload);
        }
    }

    /** Records the model of a run, in the place of an earlier one. */
    @Transactional
    public void record(Origin origin, ModelScore score, ModelUpload.WrittenModel file) {
        database.sql(
                        """
                        insert into run_model
                            (run_id, epoch, generation, rank, upload, accuracy, loss, bytes,
                             digest, kept_at)
                        values (:run, :epoch, :generation, :rank, :upload, :accuracy, :loss,
                            :bytes, :digest, :at)
                        on conflict (run_id) do update
                        set epoch = excluded.epoch, generation = excluded.generation,
                            rank = excluded.rank, upload = excluded.upload,
                            accuracy = excluded.accuracy, loss = excluded.loss,
                            bytes = excluded.bytes, digest = excluded.digest,
                            kept_at = excluded.kept_at, removed_at = null
                        """)
                .param("run", origin.run().value())
                .param("epoch", score.epoch())
                .param("generation", origin.generation())
                .param("rank", origin.rank())
                .param("upload", file.upload())
                .param("accuracy", score.accuracy())
                .param("loss", score.loss())
                .param("bytes", file.bytes())
                .param("digest", file.digest())
                .param("at", Timestamp.from(clock.instant()))
                .update();
    }

    /** Returns the model of a run, also a removed one. */
    @Transactional(readOnly = true)
    public Optional<StoredModel> find(RunId run) {
        return database.sql(
                        """
                        select epoch, generation, rank, upload, accuracy, loss, bytes, digest,
                            kept_at, removed_at
                        from run_model where run_id = :run
                        """)
                .param("run", run.value())
                .query((row, _) -> stored(row))
                .optional();
    }

    /** Returns the runs of a project that have a model. */
    @Transactional(readOnly = true)
    public List<RunId> ofProject(UUID project) {
        return database.sql(
                        """
                        select run_id from run_model join run on run.id = run_id
                        where run.project_id = :project and removed_at is null
                        """)
                .param("project", project)
                .query((row, _) -> RunId.of(row.getObject("run_id", UUID.class)))
                .list();
    }

    private static StoredModel stored(ResultSet row) throws SQLException {
        Timestamp removed = row.getTimestamp("removed_at");
        return new StoredModel(
                new ModelScore(
                        row.getInt("epoch"), row.getDouble("accuracy"), row.getDouble("loss")),
                row.getInt("generation"),
                row.getInt("rank"),
                row.getObject("upload", UUID.class),
                row.getLong("bytes"),
                row.getString("digest"),
                row.getTimestamp("kept_at").toInstant(),
                removed == null ? null : removed.toInstant());
    }

    /**
     * Opens the file of a model; empty if it is missing.
     *
     * @throws IOException if the store does not answer
     */
    public Optional<StoredPart> open(RunId run, StoredModel model) throws IOException {
        Optional<StoredPart> found = store.open(model.file(run));
        if (found.isEmpty()) {
            log.error("{} is missing", model.file(run).name());
        }
        return found;
    }

    /** Records that a model is removed. Call {@link #discardAll} once that is committed. */
    @Transactional
    public void remove(RunId run) {
        // The size that was stored for the ended run contains that of the model.
        database.sql("update run_tally set kept_bytes = null where run_id = :run")
                .param("run", run.value())
                .update();
        database.sql("update run_model set removed_at = :at where run_id = :run")
                .param("run", run.value())
                .param("at", Timestamp.from(clock.instant()))
                .update();
    }

    /** Removes the files of a run without a model; a file that cannot be removed stays. */
    public void discardAll(RunId run) {
        try {
            store.modelsOf(run).forEach(this::remove);
        } catch (IOException failure) {
            log.warn("models of run {} cannot be removed: {}", run, failure.toString());
        }
    }

    /** Removes a replaced or a late file, unless it is that of the run's model. */
    public void discard(Origin origin, int epoch, UUID upload) {
        ModelFile file = origin.file(epoch, upload);
        Optional<ModelFile> kept =
                find(origin.run()).filter(it -> !it.isRemoved()).map(it -> it.file(origin.run()));
        if (!kept.equals(Optional.of(file))) {
            remove(file);
        }
    }

    /**
     * Removes the files that a crashed service has left over. Keeps files that are young enough for
     * their row to follow.
     */
    public void sweepLeftOver() {
        try {
            List<ModelFile> old = store.modelsWrittenBefore(clock.instant().minus(LEFT_OVER_AFTER));
            // Read after the files: the row of an old file was written after it.
            Set<ModelFile> kept = old.isEmpty() ? Set.of() : kept();
            old.stream().filter(it -> !kept.contains(it)).forEach(this::remove);
        } catch (IOException failure) {
            log.warn("left-over models cannot be removed: {}", failure.toString());
        }
    }

    private Set<ModelFile> kept() {
        return database
                .sql(
                        """
                        select run_id, epoch, generation, rank, upload from run_model
                        where removed_at is null
                        """)
                .query((row, _) ->
                        new ModelFile(
                                RunId.of(row.getObject("run_id", UUID.class)),
                                row.getInt("epoch"),
                                row.getInt("generation"),
                                row.getInt("rank"),
                                row.getObject("upload", UUID.class)))
                .list()
                .stream()
                .collect(Collectors.toSet());
    }

    private void remove(ModelFile file) {
        try {
            store.remove(file);
        } catch (IOException failure) {
            log.warn("{} cannot be removed: {}", file.name(), failure.toString());
        }
    }
}
