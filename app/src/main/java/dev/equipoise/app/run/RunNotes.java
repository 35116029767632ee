package dev.equipoise.app.run;

import dev.equipoise.app.configuration.Notes;
import java.sql.Timestamp;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Stores the notes of runs. They have a table of their own, since each report of a rank reads its
 * run as a whole. Callers that write must hold the lock of the run.
 */
@Repository
class RunNotes {

    private final JdbcClient database;
    private final RunLocks locks;

    RunNotes(JdbcClient database, RunLocks locks) {
        this.database = database;
        this.locks = locks;
    }

    /** Returns the notes of a run; null if it has none. */
    @Nullable Notes of(UUID run) {
        return database.sql("select text, author, written_at from run_notes where run_id = :run")
                .param("run", run)
                .query((row, _) ->
                        new Notes(
                                row.getString("text"),
                                row.getString("author"),
                                row.getTimestamp("written_at").toInstant()))
                .optional()
                .orElse(null);
    }

    /** Replaces the notes of a run and changes its revision. */
    void write(Run run, Notes notes) {
        locks.touch(run);
        database.sql(
                        """
                        insert into run_notes (run_id, text, author, written_at)
                        values (:run, :text, :author, :at)
                        on conflict (run_id) do update
                        set text = :text, author = :author, written_at = :at
                        """)
                .param("run", run.id())
                .param("text", notes.text())
                .param("author", notes.author())
                .param("at", Timestamp.from(notes.writtenAt()))
                .update();
    }

    /** Deletes the notes of a run and changes its revision. */
    void delete(Run run) {
        locks.touch(run);
        database.sql("delete from run_notes where run_id = :run").param("run", run.id()).update();
    }
}
