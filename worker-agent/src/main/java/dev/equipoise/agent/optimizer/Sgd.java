package dev.equipoise.agent.optimizer;

/** Stochastic gradient descent without momentum: w <- w - learningRate g. */
record Sgd() implements Rule {

    @Override
    public int vectors() {
        return 0;
    }

    @Override
    public Update update(long step, double learningRate) {
        float rate = (float) learningRate;
        return block -> descend(block.parameters(), block.gradient(), block.length(), rate);
    }

    private static void descend(float[] parameters, float[] gradient, int length, float rate) {
        for (int i = 0; i < length; i++) {
            parameters[i] -= rate * gradient[i];
        }
    }
}
