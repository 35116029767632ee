package dev.equipoise.app.schedule;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunId;

/**
 * That an agent has told the others its part of an epoch's figures.
 *
 * @param wished whether it had heard by then that they are to stand
 */
record SimulatedEnd(RunId run, int generation, int epoch, boolean wished) {

    boolean isOf(Assignment.Training part, int ended) {
        return run.equals(part.run()) && generation == part.generation() && epoch >= ended;
    }
}
