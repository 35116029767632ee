package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs the backup commands of docs/reliability.md on a lab with its own database. */
@ExtendWith(SharedLabs.class)
class BackupIT {

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: kept
            dataset: { name: mnist, limit: 600 }
            network: { preset: mlp-784-512-10 }
            training: { epochs: 2, batchSize: 20 }
            workers: { replicas: 3 }
            checkpoint: { every: 1, keep: 1 }
            """;

    @TempDir private Path folder;

    @Test
    void restoredServiceHasItsDataAndItsAgentsRejoin(ChaosLab lab) throws Exception {
        Path copy = folder.resolve("backup.tar.gz");
        String project = lab.api().post("projects", Map.of("name", "backup")).path("id").asString();
        JsonNode kept = lab.run(project, DEFINITION);

        lab.stopService();
        lab.sh("tar -czf %s -C %s data checkpoints".formatted(copy, lab.folder()));
        lab.restartService();
        JsonNode later = lab.run(project, DEFINITION);
        lab.killService();
        lab.sh("rm -rf %1$s/data %1$s/checkpoints/*".formatted(lab.folder()));

        lab.sh("tar -xzf %s -C %s".formatted(copy, lab.folder()));
        lab.restartService();

        assertThat(lab.api().get("runs/" + kept.path("id").asString())).isEqualTo(kept);
        assertThat(lab.api().get("runs?limit=10&project=" + project).path("items"))
                .extracting(it -> it.path("id").asString())
                .containsExactly(kept.path("id").asString())
                .doesNotContain(later.path("id").asString());
        lab.awaitAgents();
        assertThat(lab.run(project, DEFINITION).path("testAccuracy").asDouble())
                .isEqualTo(kept.path("testAccuracy").asDouble());
    }
}
