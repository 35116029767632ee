package dev.equipoise.app.schedule;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunId;

/**
 * The end of an epoch at which an agent exchanged its figures with the other ranks.
 *
 * @param wished whether it knew by then of the request to stop
 */
record SimulatedEnd(RunId run, int generation, int epoch, boolean wished) {

    boolean isOf(Assignment.Training part, int ended) {
        return run.equals(part.run()) && generation == part.generation() && epoch >= ended;
    }
}
