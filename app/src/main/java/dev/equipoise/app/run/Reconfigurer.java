package dev.equipoise.app.run;

import dev.equipoise.app.recovery.ResumePoint;
import dev.equipoise.app.recovery.SuspendedRun;
import dev.equipoise.protocol.WorkerId;
import java.util.List;

/**
 * Port of reconfiguration: chooses the ranks with which a suspended run continues, and their
 * workers and shares. The scheduler implements it.
 */
public interface Reconfigurer {

    /**
     * Decides which ranks the next generation of a run has. Locks the workers that join until the
     * transaction ends.
     */
    NextGeneration decide(SuspendedRun suspended);

    /**
     * Offers the ranks of the next generation to their workers and revokes all other assignments of
     * the generation that has ended.
     *
     * @param generation number of the next generation
     */
    void offer(SuspendedRun suspended, NextGeneration next, int generation);

    /**
     * Ranks of the generation that begins: the continuing ranks first, then the joining ones.
     *
     * @param allocations by rank, each on a suspended or idle worker
     * @param places by rank, the rank of the definition that it stands for; settings of single
     *     ranks, such as link limits, follow it when other ranks are lost
     * @param resumed retained state from which the ranks continue
     * @param leaving drained workers that leave the run
     */
    record NextGeneration(
            List<RankAllocation> allocations,
            List<Integer> places,
            ResumePoint resumed,
            List<WorkerId> leaving) {

        public NextGeneration {
            allocations = List.copyOf(allocations);
            places = List.copyOf(places);
            leaving = List.copyOf(leaving);
        }
    }
}
