package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.Schedule;

/** Learning rate by step, with its schedule. */
record LearningRate(double base, Schedule schedule, int stepsPerEpoch, int epochs) {

    double at(long step) {
        return base * schedule.factor(step, stepsPerEpoch, epochs);
    }
}
