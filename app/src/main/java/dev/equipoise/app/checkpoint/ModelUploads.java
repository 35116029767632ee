package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Receives models, one at a time of each rank, each into a file of its own. */
@Component
class ModelUploads {

    private final UploadFolder folder;
    private final Set<Models.Origin> senders = ConcurrentHashMap.newKeySet();

    ModelUploads(UploadFolder folder) {
        this.folder = folder;
    }

    /**
     * Receives a model whose header was read already.
     *
     * @param metadata replaces metadata of the same name
     * @throws Problem {@code invalid-request} if the file is incomplete, {@code no-room} if it
     *     cannot be written, {@code busy} if the rank is sending another one
     */
    ModelUpload.WrittenModel receive(
            Models.Origin origin, int epoch, ModelUpload upload, Map<String, String> metadata)
            throws IOException {
        if (!senders.add(origin)) {
            throw Problem.of(
                    ErrorCode.BUSY,
                    "Rank %d of run %s is already sending a model: send one at a time"
                            .formatted(origin.rank(), origin.run()));
        }
        try {
            return upload.writeTo(folder, origin.file(epoch, UUID.randomUUID()), metadata);
        } finally {
            senders.remove(origin);
        }
    }
}
