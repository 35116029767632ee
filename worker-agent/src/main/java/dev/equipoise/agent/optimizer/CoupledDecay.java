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
     * @param mass divides the parameters, which are the weights times their push-sum mass; else 1
     */
    void apply(Block block, double mass) {
        if (decay == 0) {
            return;
        }
        add((float) (decay / mass), block.parameters(), block.gradient(), block.length());
    }

    private static void add(float factor, float[] parameters, float[] gradient, int length) {
        for (int i = 0; i < length; i++) {
            gradient[i] += factor * parameters[i];
        }
    }
}
