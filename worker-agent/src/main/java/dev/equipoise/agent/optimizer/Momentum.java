package dev.equipoise.agent.optimizer;

/*
 * Polyak 1964, Some methods of speeding up the convergence of iteration methods, equation 9, and the
 * form that Sutskever, Martens, Dahl and Hinton 2013, On the importance of initialization and
 * momentum in deep learning, section 2, give to Nesterov's. As PyTorch writes them, the learning
 * rate stands outside the velocity, so that a schedule takes hold at once:
 *
 *   v <- momentum v + g
 *   w <- w - learningRate v                    or, after Nesterov,
 *   w <- w - learningRate (g + momentum v)
 */
/** Stochastic gradient descent that remembers its velocity. */
record Momentum(float momentum, boolean nesterov) implements Rule {

    @Override
    public int vectors() {
        return 1;
    }

    @Override
    public Update update(long step, double learningRate) {
        float rate = (float) learningRate;
        return nesterov
                ? block -> lookAhead(block, block.vector(0), rate)
                : block -> roll(block, block.vector(0), rate);
    }

    private void roll(Block block, float[] velocity, float rate) {
        float[] parameters = block.parameters();
        float[] gradient = block.gradient();
        for (int i = 0; i < block.length(); i++) {
            velocity[i] = momentum * velocity[i] + gradient[i];
            parameters[i] -= rate * velocity[i];
        }
    }

    private void lookAhead(Block block, float[] velocity, float rate) {
        float[] parameters = block.parameters();
        float[] gradient = block.gradient();
        for (int i = 0; i < block.length(); i++) {
            velocity[i] = momentum * velocity[i] + gradient[i];
            parameters[i] -= rate * (gradient[i] + momentum * velocity[i]);
        }
    }
}
