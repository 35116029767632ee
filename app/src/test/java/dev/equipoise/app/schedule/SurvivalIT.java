package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.SimulatedService;
import dev.equipoise.app.TestingLab;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The service's decisions in one thread, against agents that die, hang, leave and lose one another,
 * over a network that loses, repeats and delays what they say, or only the answer.
 */
@SimulatedService
@ExtendWith(OutputCaptureExtension.class)
class SurvivalIT {

    /** Some thousands of them are for the night. */
    private static final long SEEDS = Long.getLong("equipoise.simulation.seeds", 300);

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

    @Test
    void whateverBreaksEveryRunComesToItsEndAndNothingFailsUnforeseen(CapturedOutput logged) {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            var simulated = new SimulatedLab(seed, lab, duties, database);
            try {
                simulated.play();
                assertThat(logged).doesNotContain(" ERROR ");
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(
                        "seed %d fails; alone: -Dequipoise.simulation.first=%d -Dequipoise.simulation.seeds=1\n%s"
                                .formatted(seed, seed, simulated.story()),
                        failure);
            } finally {
                lab.clear();
            }
        }
    }
}
