package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.OptimizerSpec;

/** What an optimizer does to each parameter. */
sealed interface Rule permits Sgd, Momentum, Adam {

    static Rule of(OptimizerSpec spec) {
        return switch (spec) {
            case OptimizerSpec.Sgd sgd when sgd.momentum() == 0 -> new Sgd();
            case OptimizerSpec.Sgd sgd -> new Momentum((float) sgd.momentum(), sgd.nesterov());
            case OptimizerSpec.Adam adam -> new Adam(adam.beta1(), adam.beta2(), adam.epsilon(), 0);
            case OptimizerSpec.AdamW adam ->
                    new Adam(adam.beta1(), adam.beta2(), adam.epsilon(), adam.weightDecay());
        };
    }

    /** How many numbers it remembers for each parameter. */
    int vectors();

    /**
     * What one step does.
     *
     * @param step from 1
     */
    Update update(long step, double learningRate);

    /** A step, ready to be applied to one block of the parameters after the other. */
    interface Update {
        void apply(Block block);
    }
}
