package dev.equipoise.app.schedule;

import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;

/**
 * Message of a rank to all others at the end of an epoch.
 *
 * @param wishes the requests of the service that it knew by then
 * @param isStored whether the service has its checkpoint part of the epoch
 * @param weights its weights
 */
record SimulatedVote(ReportReply wishes, boolean isStored, String weights) {

    /** An exchange of all ranks at the end of an epoch, in their order. */
    enum Exchange {
        /** Figures of the epoch. */
        FIGURES,
        /** Whether to stop or to suspend. */
        WISHES,
        /** Whether all parts of the checkpoint are stored; only before a preemption. */
        STORED
    }

    /** The moment of a vote. */
    record Moment(RunId run, int generation, int epoch, Exchange exchange) {}
}
