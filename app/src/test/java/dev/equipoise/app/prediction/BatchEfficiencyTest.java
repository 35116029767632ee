package dev.equipoise.app.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.experiment.Definition;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.dataformat.yaml.YAMLMapper;

class BatchEfficiencyTest {

    private static RunConfiguration with(String partitioning) {
        return Definition.read(
                        YAMLMapper.builder()
                                .build()
                                .readTree(
                                        """
                                        apiVersion: equipoise/v1
                                        name: counted
                                        dataset: { name: mnist, limit: 1000 }
                                        network: { preset: mnist-cnn }
                                        training: { epochs: 1 }
                                        workers: { replicas: 3 }
                                        synchronization: async
                                        partitioning: %s
                                        """
                                                .formatted(partitioning)))
                .configurations()
                .getFirst();
    }

    /**
     * Predicted compute time of a rank in a round; below, a mini-batch takes 1 / 1.01, 1 and 1 /
     * 2.31 seconds.
     */
    private static Validation.Rank computing(int rank, double seconds) {
        return new Validation.Rank(rank, new RankSeconds(seconds, 0.1, 0), null);
    }

    @Test
    void efficiencyIsBusyTimeOverOccupiedTime() {
        BatchEfficiency shown =
                BatchEfficiency.of(
                                with("{ kind: batch-counts, counts: [2, 2, 5] }"),
                                List.of(
                                        computing(0, 2 / 1.01),
                                        computing(1, 2),
                                        computing(2, 5 / 2.31)),
                                List.of())
                        .orElseThrow();

        assertThat(shown.counts()).containsExactly(2, 2, 5);
        assertThat(shown.predicted()).isEqualTo(9 / (5 / 2.31 * 4.32), within(1e-12));
        assertThat(shown.measured()).as("before the first epoch").isNull();
    }

    @Test
    void efficiencyNeedsPredictionsOfAllReplicas() {
        assertThat(
                        BatchEfficiency.of(
                                with("{ kind: batch-counts, counts: [2, 2, 5] }"),
                                List.of(computing(0, 2)),
                                List.of()))
                .hasValueSatisfying(it -> assertThat(it.predicted()).isNull());
        assertThat(BatchEfficiency.of(with("equal"), List.of(), List.of())).isEmpty();
    }
}
