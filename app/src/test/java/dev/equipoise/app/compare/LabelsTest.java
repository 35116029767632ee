package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class LabelsTest {

    private static List<String> labels(String... configurations) {
        return Labels.of(Arrays.stream(configurations).map(JsonMapper.shared()::readTree).toList());
    }

    @Test
    void labelsHaveTheFieldsThatDiffer() {
        assertThat(
                        labels(
                                """
                                {"name": "a", "epochs": 2,
                                 "topology": {"kind": "all-reduce", "algorithm": "ring"}}
                                """,
                                """
                                {"name": "a", "epochs": 2,
                                 "topology": {"kind": "all-reduce", "algorithm": "tree"}}
                                """))
                .containsExactly("topology.algorithm=ring", "topology.algorithm=tree");
    }

    @Test
    void digestOfAnInitialModelFollowsFromItsRun() {
        assertThat(
                        labels(
                                """
                                {"name": "a", "epochs": 2}
                                """,
                                """
                                {"name": "a", "epochs": 2, "initial": {"run": "r", "digest": "0f"}}
                                """))
                .containsExactly("a", "initial.run=r");
    }

    @Test
    void kindReplacesTheFieldsThatFollowFromIt() {
        assertThat(
                        labels(
                                """
                                {"name": "a", "partitioning": {"kind": "equal"}}
                                """,
                                """
                                {"name": "a",
                                 "partitioning": {"kind": "functional", "model": "piecewise"}}
                                """))
                .containsExactly("partitioning=equal", "partitioning=functional");
    }

    @Test
    void fieldsOfOneKindAreNamedIfTheyDiffer() {
        assertThat(
                        labels(
                                """
                                {"name": "a", "synchronization": {"kind": "bsp"}}
                                """,
                                """
                                {"name": "a", "synchronization": {"kind": "local-sgd", "period": 4}}
                                """,
                                """
                                {"name": "a", "synchronization": {"kind": "local-sgd", "period": 16}}
                                """))
                .containsExactly(
                        "synchronization=bsp",
                        "synchronization=local-sgd, synchronization.period=4",
                        "synchronization=local-sgd, synchronization.period=16");
    }

    @Test
    void fieldThatOnlySomeHaveIsNamed() {
        assertThat(
                        labels(
                                """
                                {"name": "a", "links": []}
                                """,
                                """
                                {"name": "a", "links": [{"delay": 1}], "hidden": 8}
                                """))
                .containsExactly("links=[]", "links=[{\"delay\":1}], hidden=8");
    }

    @Test
    void severalNamesAreInTheLabels() {
        assertThat(
                        labels(
                                """
                                {"name": "one", "period": 1}
                                """,
                                """
                                {"name": "two", "period": 4}
                                """,
                                """
                                {"name": "two", "period": 8}
                                """))
                .containsExactly("one", "two: period=4", "two: period=8");
    }

    @Test
    void equalConfigurationsAreLabeledByName() {
        assertThat(labels("{\"name\": \"a\", \"epochs\": 2}", "{\"name\": \"a\", \"epochs\": 2}"))
                .containsExactly("a", "a");
    }
}
