package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Notes;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.time.Instant;

/** Notes in the columns of an experiment. */
@Embeddable
record ExperimentNotes(
        @Column(name = "notes") String text,
        @Column(name = "notes_author") String author,
        @Column(name = "notes_written_at") Instant writtenAt) {

    static ExperimentNotes of(Notes notes) {
        return new ExperimentNotes(notes.text(), notes.author(), notes.writtenAt());
    }

    Notes notes() {
        return new Notes(text, author, writtenAt);
    }
}
