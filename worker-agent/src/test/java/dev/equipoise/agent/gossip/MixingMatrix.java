package dev.equipoise.agent.gossip;

import dev.equipoise.agent.gossip.MixingRow.Part;

/** The mixing matrix K of one exchange: {@code w_i <- sum over j of K_ij w_j}. */
final class MixingMatrix {

    private MixingMatrix() {}

    /** Builds the matrix from the rows of all ranks. */
    static double[][] of(Schedule schedule, Mixing mixing, int ranks, long exchange) {
        double[][] matrix = new double[ranks][ranks];
        for (int rank = 0; rank < ranks; rank++) {
            MixingRow row = mixing.of(rank, schedule.partners(rank, ranks, exchange));
            matrix[rank][rank] = row.own();
            for (Part part : row.parts()) {
                matrix[rank][part.from()] += part.weight();
            }
        }
        return matrix;
    }
}
