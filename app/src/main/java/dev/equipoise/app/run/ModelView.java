package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.Models.StoredModel;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Trained model of a run.
 *
 * @param epoch epoch after which it was evaluated
 * @param generation generation that trained it
 * @param replica rank of the replica whose weights it has; null for the mean of all replicas
 * @param accuracy test accuracy of these weights
 * @param loss test loss of these weights
 * @param bytes size of the file
 * @param digest SHA-256 digest of the file, 64 hexadecimal digits
 * @param keptAt time at which it was stored
 */
@Schema(name = "Model")
public record ModelView(
        int epoch,
        int generation,
        @Nullable Integer replica,
        double accuracy,
        double loss,
        long bytes,
        String digest,
        Instant keptAt) {

    static ModelView of(StoredModel model, boolean isOfReplica) {
        return new ModelView(
                model.score().epoch(),
                model.generation(),
                isOfReplica ? model.rank() : null,
                model.score().accuracy(),
                model.score().loss(),
                model.bytes(),
                model.digest(),
                model.keptAt());
    }
}
