package dev.equipoise.app.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.RunId;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointPartTest {

    private static final RunId RUN = RunId.of(new UUID(1, 2));

    @Test
    void nameRoundTrips() {
        var part = new CheckpointPart(RUN, 12, 3, 101);

        assertThat(part.name()).isEqualTo(RUN + "-12-3-101.checkpoint");
        assertThat(CheckpointPart.named(part.name())).contains(part);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s-12-3.checkpoint",
                "%s-1-2-3.part",
                "x%s-1-2-3.checkpoint",
                "%s-1-2-9999999999.checkpoint"
            })
    void otherNamesAreNoParts(String name) {
        assertThat(CheckpointPart.named(name.formatted(RUN))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 9, true", "2, 4, true", "2, 5, false", "3, 1, false"})
    void partsOfEarlierGenerationsAreEarlier(int generation, int epoch, boolean isUpTo) {
        assertThat(new CheckpointPart(RUN, epoch, generation, 0).isUpTo(2, 4)).isEqualTo(isUpTo);
    }
}
