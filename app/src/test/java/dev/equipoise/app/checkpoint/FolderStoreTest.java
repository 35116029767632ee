package dev.equipoise.app.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderStoreTest extends CheckpointStoreContract {

    @TempDir private Path folder;

    @Override
    CheckpointStore store() {
        return new FolderStore(folder);
    }

    @Test
    void missingFolderListsNoPartsAndOpensNone() throws IOException {
        var none = new FolderStore(folder.resolve("none"));

        assertThat(none.of(run)).isEmpty();
        assertThat(none.writtenBefore(Instant.MAX)).isEmpty();
        assertThatThrownBy(() -> none.open(part(1, 0)))
                .as("the folder may not be mounted")
                .isInstanceOf(NotDirectoryException.class);
    }
}
