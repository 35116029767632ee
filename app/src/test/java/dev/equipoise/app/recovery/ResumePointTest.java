package dev.equipoise.app.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ResumePointTest {

    private static final Continuation FROM = new Continuation(Position.beginning(2), List.of(0, 2));

    @Test
    void equalRanksBeginWithTheSameWeights() {
        ResumePoint resumed = ResumePoint.alike(FROM, "same");

        assertThat(resumed.allows(0, "same")).isTrue();
        assertThat(resumed.allows(1, "same")).isTrue();
        assertThat(resumed.allows(1, "other")).isFalse();
    }

    @Test
    void holdersBeginWithTheirOwnWeightsAndOthersWithAny() {
        ResumePoint resumed =
                ResumePoint.apart(FROM, List.of("a", "b")).from(Position.beginning(3));

        assertThat(resumed.allows(0, "a")).isTrue();
        assertThat(resumed.allows(2, "b")).isTrue();
        assertThat(resumed.allows(2, "a")).isFalse();
        assertThat(resumed.allows(1, "whatever")).isTrue();
    }

    @Test
    void formerStoredFormIsRead() {
        assertThat(
                        new JsonMapper()
                                .readValue(
                                        """
                                        {"continuation": {"from": {"epoch": 2, "round": 0, "sample": 0},
                                         "holders": [0, 2]}, "parameters": "same"}
                                        """,
                                        ResumePoint.class))
                .isEqualTo(ResumePoint.alike(FROM, "same"));
    }
}
