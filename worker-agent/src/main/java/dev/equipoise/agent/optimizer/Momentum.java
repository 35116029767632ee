package dev.equipoise.agent.optimizer;

/*
 * Polyak 1964, Some methods of speeding up the convergence of iteration methods, equation 9, and
 * Nesterov's momentum in the form of Sutskever, Martens, Dahl and Hinton 2013, On the importance of
 * initialization and momentum in deep learning, section 2. As in PyTorch, the learning rate stands
 * outside the velocity, so that a schedule takes effect at once:
 *
 *   v <- momentum v + g
 *   w <- w - learningRate v                    or, with Nesterov,
 *   w <- w - learningRate (g + momentum v)
 */
/** Stochastic gradient descent with momentum. */
record Momentum(float momentum, boolean nesterov) implements Rule {

    @Override
    public int vectors() {
        return 1;
    }

    @Override
    public Update update(long step, double learningRate) {
        float rate = (float) learningRate;
        return nesterov
                ? block -> stepNesterov(block, block.vector(0), rate)
                : block -> stepPolyak(block, block.vector(0), rate);
    }

    private void stepPolyak(Block block, float[] velocity, float rate) {
        float[] parameters = block.parameters();
        float[] gradient = block.gradient();
        for (int i = 0; i < block.length(); i++) {
            velocity[i] = momentum * velocity[i] + gradient[i];
            parameters[i] -= rate * velocity[i];
        }
    }

    private void stepNesterov(Block block, float[] velocity, float rate) {
        float[] parameters = block.parameters();
        float[] gradient = block.gradient();
        for (int i = 0; i < block.length(); i++) {
            velocity[i] = momentum * velocity[i] + gradient[i];
            parameters[i] -= rate * (gradient[i] + momentum * velocity[i]);
        }
    }
}
