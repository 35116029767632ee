package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class GroupingTest {

    private static final Grouping GROUPING =
            new Grouping(List.of(List.of(3, 0, 4), List.of(5, 1, 2)), List.of(40, 1, 59));

    private final JsonMapper json = JsonMapper.builder().build();

    @Test
    void mapsRanksToGroupsPositionsAndHiddenUnits() {
        assertThat(GROUPING.dataParallel()).isEqualTo(2);
        assertThat(GROUPING.nodeParallel()).isEqualTo(3);
        assertThat(GROUPING.groupOf(1)).isEqualTo(1);
        assertThat(GROUPING.positionOf(4)).isEqualTo(2);
        assertThat(GROUPING.at(1)).containsExactly(0, 1);
        assertThat(GROUPING.firstUnit(2)).isEqualTo(41);
        assertThat(GROUPING.allUnits()).isEqualTo(100);
    }

    @Test
    void rejectsGroupsOfUnequalSizeOrWithAMissingRank() {
        assertThatThrownBy(() -> new Grouping(List.of(List.of(0, 2)), List.of(1, 1)))
                .hasMessage("groups must have every rank once, but are [[0, 2]]");
        assertThatThrownBy(() -> new Grouping(List.of(List.of(0, 1), List.of(2)), List.of(1, 1)))
                .hasMessage("group must hold 2, but held 1");
        assertThatThrownBy(() -> new Grouping(List.of(List.of(0, 1)), List.of(1, 0)))
                .hasMessage("units must be at least 1, but was 0");
    }

    @Test
    void planWithGroupsSurvivesJson() {
        TrainingPlan plan = plan(Preset.MLP_203_100_26.architecture(), List.of(0, 0, 0, 4, 0, 6));

        assertThat(json.readValue(json.writeValueAsString(plan), TrainingPlan.class))
                .isEqualTo(plan);
    }

    @Test
    void onlyTheFirstRankOfAGroupHasAShare() {
        Architecture network = Preset.MLP_203_100_26.architecture();

        assertThatThrownBy(() -> plan(network, List.of(4, 0, 0, 0, 0, 6)))
                .hasMessageStartingWith("only the first rank of a group may have a share");
    }

    @Test
    void unitsSumToTheHiddenLayerOfAPerceptron() {
        Architecture other =
                Architecture.of(
                        "x",
                        new Shape.Vector(203),
                        List.of(new Layer.Dense(100), new Layer.Relu(), new Layer.Dense(26)));

        assertThatThrownBy(() -> plan(other, List.of(0, 0, 0, 4, 0, 6)))
                .hasMessageStartingWith("the units must be those of a perceptron's hidden layer");
    }

    @Test
    void sigmoidUnitsExistForPerceptronsOnly() {
        assertThat(Preset.MLP_203_100_26.architecture().sigmoidUnits()).hasValue(100);
        assertThat(Preset.MLP_784_512_10.architecture().sigmoidUnits()).isEmpty();
        var image = new Shape.Image(2, 2, 1);
        List<Layer> layers =
                List.of(
                        new Layer.Flatten(),
                        new Layer.Dense(7),
                        new Layer.Sigmoid(),
                        new Layer.Dense(3));
        assertThat(Architecture.of("x", image, layers).sigmoidUnits()).hasValue(7);
        assertThat(Architecture.of("x", image, layers.subList(0, 3)).sigmoidUnits()).isEmpty();
    }

    private static TrainingPlan plan(Architecture network, List<Integer> shares) {
        return new TrainingPlan(
                new PublishedSpec.Nettalk(10),
                network,
                new Loss(Loss.Kind.SQUARED_ERROR, Loss.Reduction.MEAN),
                new OptimizerSpec.Sgd(0.05),
                2,
                Observation.every(1),
                1,
                EpochDivision.of(shares, 1).in(GROUPING),
                new Method(
                        new Synchronization.Bsp(),
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Compression.None()),
                ChannelKind.DIRECT,
                new Execution.Real(),
                List.of(),
                List.of());
    }
}
