package dev.equipoise.agent.optimizer;

/**
 * Position in the learning rate schedule by the samples that all replicas have trained on. Methods
 * without common rounds use it, since their steps are of unequal numbers of samples.
 *
 * @param samplesPerEpoch samples of an epoch, of all replicas
 * @param stepsPerEpoch steps of an epoch in the unit of the schedule
 */
public record SchedulePosition(int samplesPerEpoch, int stepsPerEpoch) {

    /**
     * Returns the step of the schedule, from 0.
     *
     * @param epoch from 1
     * @param samples of this epoch that all replicas have trained on
     */
    public long step(int epoch, long samples) {
        return (epoch - 1L) * stepsPerEpoch + samples * stepsPerEpoch / samplesPerEpoch;
    }
}
