package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.Schedule;

/** How far a step goes, as the run goes on. */
record LearningRate(double full, Schedule schedule, int stepsPerEpoch, int epochs) {

    double at(long step) {
        return full * schedule.factor(step, stepsPerEpoch, epochs);
    }
}
