package dev.equipoise.agent.optimizer;

/*
 * Kingma and Ba 2015, Adam: a method for stochastic optimization, algorithm 1, and Loshchilov and
 * Hutter 2019, Decoupled weight decay regularization, algorithm 2, which is the same with a weight
 * decay. As PyTorch does, the decay goes with the scheduled learning rate. At step t, from 1:
 *
 *   w <- w - learningRate weightDecay w
 *   m <- beta1 m + (1 - beta1) g
 *   v <- beta2 v + (1 - beta2) g^2
 *   w <- w - learningRate m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon)
 *
 * The two corrections are the same for all parameters, and so leave the loop.
 */
/**
 * Adam and AdamW: steps scaled for each parameter by running means of its gradient and of the
 * square.
 */
record Adam(double beta1, double beta2, double epsilon, double weightDecay) implements Rule {

    @Override
    public int vectors() {
        return 2;
    }

    /** Uses StrictMath, so that replicas on different hosts get the same bits. */
    @Override
    public Update update(long step, double learningRate) {
        double correction1 = 1 - StrictMath.pow(beta1, (double) step);
        double correction2 = 1 - StrictMath.pow(beta2, (double) step);
        return new AdamStep(
                (float) beta1,
                (float) (1 - beta1),
                (float) beta2,
                (float) (1 - beta2),
                (float) (1 / Math.sqrt(correction2)),
                (float) epsilon,
                (float) (learningRate / correction1),
                (float) (1 - learningRate * weightDecay));
    }

    /** Factors of one step that are equal for all parameters. */
    private record AdamStep(
            float beta1,
            float oneMinusBeta1,
            float beta2,
            float oneMinusBeta2,
            float correction,
            float epsilon,
            float rate,
            float decay)
            implements Update {

        @Override
        public void apply(Block block) {
            apply(
                    block.parameters(),
                    block.gradient(),
                    block.vector(0),
                    block.vector(1),
                    block.length());
        }

        private void apply(
                float[] parameters, float[] gradient, float[] mean, float[] square, int length) {
            for (int i = 0; i < length; i++) {
                mean[i] = beta1 * mean[i] + oneMinusBeta1 * gradient[i];
                square[i] = beta2 * square[i] + oneMinusBeta2 * gradient[i] * gradient[i];
                float root = (float) Math.sqrt(square[i]) * correction + epsilon;
                parameters[i] = decay * parameters[i] - rate * mean[i] / root;
            }
        }
    }
}
