package dev.equipoise.agent.optimizer;

/*
 * Hanson and Pratt 1988, Comparing biases for minimal network construction with back-propagation: a
 * quadratic penalty on all weights. As in Caffe (SGDSolver::Regularize) and PyTorch, the gradient
 * of the penalty joins the clipped gradient, before momentum and before Adam's running means:
 *
 *   g <- g + decay w
 */
/**
 * Coupled weight decay (L2 regularization): makes an optimizer descend {@code loss + decay / 2 *
 * |w|^2} over all parameters, biases included.
 *
 * @param decay 0 leaves the gradient unchanged to the bit
 */
record CoupledDecay(float decay) {

    boolean isNone() {
        return decay == 0;
    }

    /**
     * Adds the penalty's gradient to that of a block, while both vectors are in the nearest cache.
     *
     * @param scaling factors that the parameters and the gradient of the block contain
     */
    void apply(Block block, Scaling scaling) {
        if (decay == 0) {
            return;
        }
        double factor = decay * scaling.gradient() / scaling.weights();
        add((float) factor, block.parameters(), block.gradient(), block.length());
    }

    private static void add(float factor, float[] parameters, float[] gradient, int length) {
        for (int i = 0; i < length; i++) {
            gradient[i] += factor * parameters[i];
        }
    }
}
