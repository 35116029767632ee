package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.SimulatedService;
import dev.equipoise.app.TestingLab;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The service's decisions in one thread, against agents that die, hang, leave and lose one another,
 * over a network that loses, repeats and delays what they say, or only the answer.
 */
@SimulatedService
class SurvivalIT {

    /** The night plays 10,000. */
    private static final long SEEDS = Long.getLong("equipoise.simulation.seeds", 40);

    private static final long FIRST = Long.getLong("equipoise.simulation.first", 1);

    private final TestingLab lab;
    private final Duties duties;
    private final JdbcClient database;

    SurvivalIT(
            @Autowired TestingLab lab, @Autowired Duties duties, @Autowired JdbcClient database) {
        this.lab = lab;
        this.duties = duties;
        this.database = database;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    static LongStream seeds() {
        return LongStream.range(FIRST, FIRST + SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverBreaksEveryRunComesToItsEndAndNothingFailsUnforeseen(long seed) {
        try (var errors = new LoggedErrors()) {
            var simulated = new SimulatedLab(seed, lab, duties, database);
            try {
                simulated.play();
                lab.clear();
                assertThat(errors.messages()).as("logged errors").isEmpty();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(
                        "seed %d fails; alone: -Dequipoise.simulation.first=%d -Dequipoise.simulation.seeds=1\n%s"
                                .formatted(seed, seed, simulated.story()),
                        failure);
            }
        }
    }
}
