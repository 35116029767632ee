package dev.equipoise.benchmarks.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.link.LinkCost;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.agent.link.RankPair;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class LinkFigureTest {

    private static final LinkMatrix MATRIX =
            new LinkMatrix(
                    3,
                    Map.of(
                            new RankPair(0, 1), new LinkCost(1e-5, 1e-9, 0.1),
                            new RankPair(0, 2), new LinkCost(2e-5, 0, 0.2),
                            new RankPair(1, 2), new LinkCost(0, 3e-9, 0)));

    @Test
    void linkMatrixSurvivesJson() {
        var json = JsonMapper.builder().build();
        List<LinkFigure> read =
                LinkFigure.of(MATRIX).stream()
                        .map(json::writeValueAsString)
                        .map(line -> json.readValue(line, LinkFigure.class))
                        .toList();

        assertThat(LinkFigure.matrix(3, read)).isEqualTo(MATRIX);
    }

    @Test
    void fieldNamesContainTheUnits() {
        assertThat(
                        JsonMapper.builder()
                                .build()
                                .writeValueAsString(LinkFigure.of(MATRIX).getFirst()))
                .isEqualTo(
                        "{\"low\":0,\"high\":1,\"alpha_seconds\":1.0E-5,"
                                + "\"beta_seconds_per_byte\":1.0E-9,\"relative_error\":0.1}");
    }
}
