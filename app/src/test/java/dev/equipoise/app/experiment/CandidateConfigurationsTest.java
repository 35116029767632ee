package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.experiment.CandidateConfigurations.Alternative;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CandidateConfigurationsTest {

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: planned
            dataset: { name: mnist, limit: 4000 }
            network: { preset: mnist-cnn }
            training: { epochs: 6, batchSize: 10, optimizer: { kind: sgd, learningRate: 0.1 } }
            workers: { replicas: 4 }
            """;

    private static List<Alternative> alternatives(
            Set<Choice> free, int mostReplicas, String... fields) {
        ObjectNode definition = (ObjectNode) yaml(DEFINITION);
        for (String field : fields) {
            yaml(field).properties().forEach(it -> definition.set(it.getKey(), it.getValue()));
        }
        return new CandidateConfigurations(definition, free, mostReplicas).list();
    }

    @Test
    void allValidMethodsAndTopologiesAreListed() {
        List<Alternative> alternatives =
                alternatives(EnumSet.of(Choice.SYNCHRONIZATION, Choice.TOPOLOGY), 4);

        assertThat(alternatives)
                .extracting(it -> it.configuration().synchronization().getClass().getSimpleName())
                .contains("Bsp", "LocalSgd", "DiLoCo", "Async", "StaleSynchronous", "AdPsgd");
        assertThat(alternatives)
                .extracting(it -> it.configuration().topology())
                .contains(
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        Topology.AllReduce.by(Topology.Algorithm.TREE),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));
        assertThat(alternatives)
                .as("invalid definitions are not proposed")
                .noneMatch(it ->
                        it.configuration().synchronization() instanceof Synchronization.Bsp
                                && it.configuration().topology() instanceof Topology.Gossip);
    }

    @Test
    void fixedChoicesStay() {
        List<Alternative> alternatives =
                alternatives(EnumSet.of(Choice.TOPOLOGY), 4, "synchronization: ad-psgd");

        assertThat(alternatives).hasSize(1);
        assertThat(alternatives.getFirst().changes().keySet()).containsExactly("topology");
        assertThat(alternatives.getFirst().configuration().workers().replicas()).isEqualTo(4);
    }

    @Test
    void compressionExcludesIncompatibleMethods() {
        assertThat(
                        alternatives(
                                EnumSet.of(Choice.TOPOLOGY),
                                4,
                                "compression: {kind: top-k, fraction: 0.01}"))
                .extracting(it -> it.configuration().topology())
                .containsExactlyInAnyOrder(
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));
    }

    /** Settings of ranks that would not exist are removed. */
    @Test
    void fewerReplicasDropSettingsOfMissingRanks() {
        List<Alternative> alternatives =
                alternatives(
                        EnumSet.of(Choice.REPLICAS),
                        4,
                        "heterogeneity: {slowDown: {0: 2, 3: 4}, links: [{between: [0, 3], megabytesPerSecond: 1}]}");

        assertThat(alternatives)
                .extracting(it -> it.configuration().heterogeneity().slowDown().size())
                .containsExactly(1, 1, 1, 2);
    }

    @Test
    void manyWorkersAreTriedInPowersOfTwo() {
        assertThat(alternatives(EnumSet.of(Choice.REPLICAS), 20))
                .extracting(it -> it.configuration().workers().replicas())
                .containsExactly(1, 2, 4, 8, 16, 20);
    }
}
