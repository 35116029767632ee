package dev.equipoise.protocol;

/** Event of a link measurement: a measured cost, or the outcome of the assignment. */
public sealed interface LinkReport extends AgentEvent
        permits LinkReport.LinkMeasured,
                LinkReport.AllReduceMeasured,
                Outcome.Finished,
                Outcome.Failed {

    /**
     * The cost of a link was measured.
     *
     * @param link measured cost
     */
    record LinkMeasured(MeasuredLink link) implements LinkReport {

        public LinkMeasured {
            Rules.present("link", link);
        }
    }

    /**
     * An all-reduce over some ranks was timed.
     *
     * @param allReduce measured time
     */
    record AllReduceMeasured(MeasuredAllReduce allReduce) implements LinkReport {

        public AllReduceMeasured {
            Rules.present("allReduce", allReduce);
        }
    }
}
