package dev.equipoise.protocol;

/** Event of a profile: a measured point, or the outcome of the assignment. */
public sealed interface ProfileReport extends AgentEvent
        permits ProfileReport.PointMeasured, Outcome.Finished, Outcome.Failed {

    /**
     * One point of a profile was measured.
     *
     * @param kernel measured kernel
     * @param point measured point
     */
    record PointMeasured(Kernel kernel, MeasuredPoint point) implements ProfileReport {

        public PointMeasured {
            Rules.present("kernel", kernel);
            Rules.present("point", point);
        }
    }
}
