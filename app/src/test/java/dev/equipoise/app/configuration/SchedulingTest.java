package dev.equipoise.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.Scheduling.Checkpoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulingTest {

    /**
     * A rank that has reported epoch 7 has begun to store the part of epoch 6, and has stored the
     * parts before; parts on request are stored before it trains on.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 7, 6",
        "1, 7, 5",
        "2, 7, 5",
        "3, 7, 5",
        "5, 7, 4",
        "6, 7, 5",
        "7, 7, 6",
        "0, 1, 0",
        "1, 1, 0",
        "1, 2, 0",
        "1, 3, 1",
        "5, 6, 4",
        "5, 11, 9"
    })
    void lastSettledEpochIsBeforeTheDueEpochThatMayBeUnderWay(
            int every, int reported, int settled) {
        assertThat(new Checkpoint(every, 1).lastSettled(reported)).isEqualTo(settled);
    }
}
