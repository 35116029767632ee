package dev.equipoise.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport.PhasesElapsed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PhaseClockTest {

    private final TestingTime time = new TestingTime();

    @Test
    void phasesSumToTheElapsedTime() {
        time.idle(Duration.ofSeconds(100));
        PhaseClock phases = PhaseClock.start(time);
        time.idle(Duration.ofSeconds(1));
        spend(phases, RunPhase.DATA, 2);
        spend(phases, RunPhase.WARM_UP, 4);
        spend(phases, RunPhase.RESTORE, 8);
        spend(phases, RunPhase.CALIBRATION, 16);
        spend(phases, RunPhase.TRAINING, 32);
        spend(phases, RunPhase.EVALUATION, 64);
        spend(phases, RunPhase.CHECKPOINT, 128);
        spend(phases, RunPhase.COORDINATION, 256);
        spend(phases, RunPhase.TRAINING, 512);

        PhasesElapsed report = phases.report(3);

        assertThat(report)
                .isEqualTo(
                        new PhasesElapsed(
                                3, 1023, new RunPhases(1, 2, 4, 8, 16, 544, 64, 128, 256)));
        assertThat(report.phases().sum()).isEqualTo(report.elapsedSeconds());
    }

    @Test
    void reportIncludesTheCurrentPhaseAndDoesNotEndIt() {
        PhaseClock phases = PhaseClock.start(time);
        spend(phases, RunPhase.TRAINING, 2);
        PhasesElapsed first = phases.report(0);
        time.idle(Duration.ofSeconds(3));

        assertThat(first.phases()).isEqualTo(RunPhases.ofTraining(2));
        assertThat(phases.report(0).phases()).isEqualTo(RunPhases.ofTraining(5));
    }

    @Test
    void virtualRankHasTrainingTimeAlone() {
        PhaseClock phases = PhaseClock.ofTraining(time);
        time.idle(Duration.ofSeconds(1));
        spend(phases, RunPhase.TRAINING, 2);
        spend(phases, RunPhase.EVALUATION, 4);

        assertThat(phases.report(0)).isEqualTo(new PhasesElapsed(0, 2, RunPhases.ofTraining(2)));
    }

    private void spend(PhaseClock phases, RunPhase phase, int seconds) {
        phases.enter(phase);
        time.idle(Duration.ofSeconds(seconds));
    }
}
