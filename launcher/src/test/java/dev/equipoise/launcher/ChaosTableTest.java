package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChaosTableTest {

    private static final String TABLES =
            ChaosTable.of(
                    List.of(
                            outcome(
                                    Fault.SERVICE_KILLED,
                                    Method.BSP,
                                    0,
                                    new Resumption.Undisturbed(),
                                    0.97),
                            outcome(
                                    Fault.AGENT_KILLED,
                                    Method.BSP,
                                    2,
                                    new Resumption.Resumed(1.04),
                                    0.98),
                            outcome(
                                    Fault.AGENT_KILLED,
                                    Method.BSP,
                                    0,
                                    new Resumption.Resumed(0.8),
                                    0.9702),
                            outcome(
                                    Fault.AGENT_KILLED,
                                    Method.SERVED,
                                    1,
                                    new Resumption.TrainedOn(0.7),
                                    0.9754)),
                    Map.of(Method.SERVED, 0.9781, Method.BSP, 0.97266));

    private static ChaosOutcome outcome(
            Fault fault, Method method, int rank, Resumption resumption, double accuracy) {
        int generations = resumption instanceof Resumption.Undisturbed ? 1 : 2 + rank;
        return new ChaosOutcome(
                new ChaosCell(fault, method, rank),
                resumption,
                generations,
                accuracy,
                new PointCount(0, 0, generations > 1 ? List.of(10L, 5L + rank) : List.of()));
    }

    @Test
    void timesAreByRank() {
        assertThat(TABLES)
                .contains(
                        """
                        | fault | bsp | async at a server |
                        | --- | --- | --- |
                        |  | `replicas: 3, minimum: 2` | `replicas: 2, minimum: 1` |
                        | kill -9 of an agent, another in its place after 5 s | 0.8 s; -; 1.0 s | -; on, new shares after 0.7 s; - |
                        | kill -9 of the service, started again at once | never stopped | - |
                        """);
    }

    @Test
    void accuraciesAreBesideThoseWithoutAFault() {
        assertThat(TABLES)
                .contains(
                        """
                        | no fault | 0.9727 | 0.9781 |
                        | kill -9 of an agent, another in its place after 5 s | 0.9702 to 0.9800 | 0.9754 |
                        | kill -9 of the service, started again at once | 0.9700 | - |
                        """);
    }

    @Test
    void generationsAreARange() {
        assertThat(TABLES)
                .contains("another in its place after 5 s | 2 to 4 | 3 |")
                .contains("started again at once | 1 | - |");
    }

    @Test
    void pointsAreSumsOverTheRanks() {
        assertThat(TABLES)
                .contains("another in its place after 5 s | 0 / 0 / 32 | 0 / 0 / 16 |")
                .contains("started again at once | 0 / 0 / 0 | - |");
    }

    @Test
    void tablesEndWithALine() {
        assertThat(TABLES).endsWith(" |\n").doesNotContain("\n\n\n");
    }
}
