package dev.equipoise.agent.gossip;

import dev.equipoise.agent.gossip.Mixture.Part;

/** The matrix K of one exchange: {@code w_i <- sum over j of K_ij w_j}. */
final class MixingMatrix {

    private MixingMatrix() {}

    /** Made of what all ranks do; {@code ranks} rows and columns. */
    static double[][] of(Schedule schedule, Mixing mixing, int ranks, long exchange) {
        double[][] matrix = new double[ranks][ranks];
        for (int rank = 0; rank < ranks; rank++) {
            Mixture mixture = mixing.of(rank, schedule.partners(rank, ranks, exchange));
            matrix[rank][rank] = mixture.own();
            for (Part part : mixture.parts()) {
                matrix[rank][part.from()] += part.weight();
            }
        }
        return matrix;
    }
}
